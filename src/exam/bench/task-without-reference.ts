import { cp, rename } from "node:fs/promises";
import { join, relative } from "node:path";
import type { TaskPackage } from "../../task/task-package.ts";
import { isFolder, makePrivateFolder, makeReadable } from "./host-folders.ts";
import type { TaskBench } from "./task-bench.ts";

/** Top-level parts of a package that hold what an agent's machine must never see, or never needs. */
const left = new Set(["reference", "sealed", "input", "fixtures"]);

/**
 * A copy of a package without its reference and input, cached by content: what the oracle, and a task's setup,
 * may have on the agent's machine.
 */
export async function taskWithoutReference(bench: TaskBench, task: TaskPackage): Promise<string> {
  const place = join(bench.cacheDir, "packages", task.contentHash.replace(":", "-"));
  if (await isFolder(place)) return place;
  await using draft = await makePrivateFolder(join(bench.cacheDir, "packages"), "draft-");
  const copy = join(draft.dir, "task");
  await cp(task.dir, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !left.has(relative(task.dir, source)) && !source.endsWith(".age"),
  });
  await makeReadable(copy);
  try {
    await rename(copy, place);
  } catch (error) {
    if (!(await isFolder(place))) throw error;
  }
  return place;
}
