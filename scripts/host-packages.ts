// Prints the Debian packages that a group needs, one a line: `exam` (sandboxes and the tasks at hand) or `test`.
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";

const root = join(import.meta.dirname, "..");

/** What the local provider itself runs. */
const sandbox = ["bubblewrap", "e2fsprogs", "mount", "util-linux"];

/** What only tests drive: pages are looked at in a real browser. */
const browser = ["chromium"];

interface ManifestPart {
  readonly sandbox?: { readonly packages?: readonly string[] };
}

async function taskPackages(): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const path of glob("tasks/*/*/task.yaml", { cwd: root })) {
    const manifest = parse(await readFile(join(root, path), "utf8")) as ManifestPart;
    names.push(...(manifest.sandbox?.packages ?? []));
  }
  return names;
}

const group = process.argv[2];
if (group !== "exam" && group !== "test") {
  process.stderr.write("usage: host-packages.ts exam|test\n");
  process.exit(2);
}
const names = new Set([...sandbox, ...(await taskPackages()), ...(group === "test" ? browser : [])]);
process.stdout.write(
  [...names]
    .sort()
    .map((name) => `${name}\n`)
    .join(""),
);
