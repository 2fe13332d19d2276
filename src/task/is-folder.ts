import { stat } from "node:fs/promises";
import { orAbsent } from "../files/or-absent.ts";

/** True for a folder, false for anything else and for nothing. Rejects where the system will not tell. */
export async function isFolder(path: string): Promise<boolean> {
  return (await orAbsent(stat(path)))?.isDirectory() === true;
}
