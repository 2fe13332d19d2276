// `npm test`: set up this checkout, then everything a contributor must pass. `--full` adds the heavy real parts.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureDebian, ensureNpm, pinnedNode, root } from "./setup.mjs";

const full = process.argv.includes("--full");
ensureNpm();
ensureDebian("test");

const tool = (name, ...args) => [join(root, "node_modules", ".bin", name), ...args];
const steps = [
  ["types", tool("tsc", "-p", ".")],
  ["types of tasks", tool("tsc", "-p", "tasks")],
  ["lint", tool("biome", "check", "--error-on-warnings", ".")],
  ["schemas", [join(root, "scripts", "generate-schemas.ts"), "--check"]],
  ["reference", [join(root, "scripts", "generate-reference.ts"), "--check"]],
  ["package", [join(root, "scripts", "build.ts"), "--check"]],
  ["tests", tool("vitest", "run")],
];
const environment = { ...process.env, ALE_TEST_FULL: full ? "1" : "", PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}` };

const failed = [];
for (const [title, argv] of steps) {
  process.stdout.write(`\n== ${title}\n`);
  const result = spawnSync(pinnedNode, argv, { stdio: "inherit", cwd: root, env: environment });
  if (result.status !== 0) failed.push(title);
}
process.stdout.write(failed.length === 0 ? "\nall steps passed\n" : `\nfailed: ${failed.join(", ")}\n`);
process.exit(failed.length === 0 ? 0 : 1);
