import { chmod, lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { orAbsent } from "../../files/or-absent.ts";

/**
 * Takes away everyone's right to write in a folder and all below it, and lets everyone read. Links are left as they are.
 * @returns bytes of its files.
 */
export async function sealFolder(dir: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) bytes += await sealFolder(path);
    else if (entry.isFile()) {
      const { mode, size } = await lstat(path);
      await chmod(path, (mode & 0o111) === 0 ? 0o444 : 0o555);
      bytes += size;
    }
  }
  await chmod(dir, 0o555);
  return bytes;
}

/** Removes a folder whether it is sealed or not; absent is fine. */
export async function removeSealed(dir: string): Promise<void> {
  await unseal(dir);
  await rm(dir, { recursive: true, force: true, maxRetries: 3 });
}

/** Who is not root may not empty a folder it cannot write to. */
async function unseal(dir: string): Promise<void> {
  const entries = await orAbsent(readdir(dir, { withFileTypes: true }));
  if (entries === undefined) return;
  await chmod(dir, 0o755);
  for (const entry of entries) if (entry.isDirectory()) await unseal(join(dir, entry.name));
}
