import { lstat, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { orAbsent } from "../../files/or-absent.ts";

/** A file that may be read. */
export interface SafeFile {
  readonly path: string;
  readonly bytes: number;
}

/** Folders of an attempt whose files pages may open. */
export const openFolders: readonly string[] = ["artifacts", "screenshots", "logs", "images"];

/**
 * The regular file that a relative name means under an attempt's folder, or `undefined`: for one that is absent, leads
 * out of the folder (also by links), or stands outside {@link openFolders}. What an agent left is not to be trusted.
 */
export async function safeFile(attemptDir: string, name: string): Promise<SafeFile | undefined> {
  const parts = name.split("/");
  const [folder = ""] = parts;
  if (parts.length < 2 || !openFolders.includes(folder)) return undefined;
  if (parts.some((part) => part === "" || part === "." || part === ".." || /[\0\\]/.test(part)))
    return undefined;
  const path = join(attemptDir, ...parts);
  const found = await orAbsent(lstat(path));
  if (found === undefined || !found.isFile()) return undefined;
  const [real, root] = await Promise.all([realpath(path), realpath(attemptDir)]);
  return real === join(root, ...parts) && real.startsWith(root + sep)
    ? { path, bytes: found.size }
    : undefined;
}
