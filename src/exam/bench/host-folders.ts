import { chmod, cp, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { isFolder } from "../../task/is-folder.ts";

/** Copies a folder's contents, links as links, when it is there; makes the target anyway. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await makeFolder(to);
  if (await isFolder(from)) await cp(from, to, { recursive: true, verbatimSymlinks: true });
}

/** Lets any user read a tree, and nobody but its owner write it: sandboxes see it as another user. */
export async function makeReadable(dir: string): Promise<void> {
  await chmod(dir, 0o755);
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o111 ? 0o755 : 0o644);
  }
}
