import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ScratchFolder } from "../../task/native/scratch-folder.ts";
import { packageRoot } from "../package-info.ts";
import { runCommandLine } from "../run-command-line.ts";
import { createSilentContext } from "../silent-context.ts";

async function tasksNew(cwd: string, ...args: readonly string[]): Promise<string> {
  let said = "";
  const silent = createSilentContext();
  const out = { ...silent.out, write: (text: string) => (said += text) };
  await runCommandLine(["tasks", "new", "legal/img_task", ...args], { ...silent, cwd, out });
  return said;
}

test("where the task's program finds ale, a new task is worked on with its program", async () => {
  await using folder = await ScratchFolder.make();
  await mkdir(join(folder.path, "node_modules"));
  await symlink(packageRoot, join(folder.path, "node_modules", "ale"));
  const said = await tasksNew(folder.path);
  expect(said).toContain("npx node tasks/legal/img_task/main.ts check   lists the places to fill in\n");
});

test("where it does not, the command named is ale's own, with the folder of tasks", async () => {
  await using folder = await ScratchFolder.make();
  await mkdir(join(folder.path, "clone"));
  const said = await tasksNew(join(folder.path, "clone"), "--tasks-root", "../mytasks");
  expect(said).toMatch(/^legal\/img_task is in \.\.\/mytasks\/legal\/img_task\n/);
  expect(said).toContain("npx ale tasks check legal/img_task --tasks-root ../mytasks ");
  expect(said).not.toContain("main.ts check");
});
