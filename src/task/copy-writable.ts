import { chmod, cp, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../files/make-folder.ts";

/** Copies a folder's contents into `target`, made if absent, with everything writable by its owner. */
export async function copyWritable(source: string, target: string): Promise<void> {
  await makeFolder(target);
  await cp(source, target, { recursive: true, verbatimSymlinks: true });
  await makeWritable(target);
  for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await makeWritable(join(entry.parentPath, entry.name));
  }
}

async function makeWritable(path: string): Promise<void> {
  await chmod(path, (await stat(path)).mode | 0o200);
}
