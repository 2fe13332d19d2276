import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { orAbsent } from "../files/or-absent.ts";
import { runFiles } from "./run-layout.ts";

/** The run directories under a folder, oldest first by the time their plan was written; empty when there is none. */
export async function listRuns(root: string): Promise<readonly string[]> {
  const found: { readonly dir: string; readonly at: number }[] = [];
  for (const name of (await orAbsent(readdir(root))) ?? []) {
    if (name.startsWith(".")) continue;
    const dir = join(resolve(root), name);
    const plan = await orAbsent(stat(join(dir, runFiles.plan)));
    if (plan !== undefined) found.push({ dir, at: plan.mtimeMs });
  }
  return found
    .sort((first, second) => first.at - second.at || first.dir.localeCompare(second.dir))
    .map((run) => run.dir);
}
