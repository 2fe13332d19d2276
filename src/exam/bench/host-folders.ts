import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** A folder only this user can look into, removed at the end. */
export interface PrivateFolder extends AsyncDisposable {
  readonly dir: string;
}

/** Makes a private (mode 0700) folder below `parent`, making `parent` too. */
export async function makePrivateFolder(parent: string, prefix: string): Promise<PrivateFolder> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const dir = await mkdtemp(join(parent, prefix));
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) };
}

/** True for a folder, false for anything else and for nothing. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

/** Copies a folder's contents, links as links, when it is there; makes the target anyway. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
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
