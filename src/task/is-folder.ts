import { stat } from "node:fs/promises";

/** True for a folder, false for anything else and for nothing. Rejects where the system will not tell. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(String((error as NodeJS.ErrnoException).code))) return false;
    throw error;
  }
}
