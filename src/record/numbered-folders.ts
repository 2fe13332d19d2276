import { readdirSync } from "node:fs";
import { systemCode } from "../files/system-code.ts";

/** Names in a folder; none when it is absent. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}

/** Names that are whole numbers from 1, in order; none when the folder is absent. */
export function numberedFolders(parent: string): readonly number[] {
  return namesIn(parent)
    .filter((name) => /^[1-9]\d{0,8}$/.test(name))
    .map(Number)
    .sort((one, other) => one - other);
}
