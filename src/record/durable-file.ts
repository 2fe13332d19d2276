import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { orAbsent } from "../files/or-absent.ts";

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes files that others wrote, and their names, survive a power cut. A file that is absent is passed over. */
export async function syncFiles(paths: readonly string[]): Promise<void> {
  const folders = new Set<string>();
  for (const path of paths) {
    const handle = await orAbsent(open(path, "r"));
    if (handle === undefined) continue;
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    folders.add(dirname(path));
  }
  for (const folder of folders) await syncFolder(folder);
}

/**
 * Writes a whole file so that after any death there is either all of it or what was there before:
 * a temporary neighbour, fsync, rename, fsync of the folder.
 */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.partial`;
  try {
    const handle = await open(temporary, "w");
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}
