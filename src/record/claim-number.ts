import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "./durable-file.ts";
import { orAbsent, systemCode } from "./file-error.ts";

/** Names that are whole numbers from 1, in order; empty when the folder is absent. */
export async function numberedFolders(parent: string): Promise<readonly number[]> {
  const names = (await orAbsent(readdir(parent))) ?? [];
  return names
    .filter((name) => /^[1-9]\d{0,8}$/.test(name))
    .map(Number)
    .sort((first, second) => first - second);
}

/**
 * Makes the next numbered folder under `parent`. Making it is the claim, so two processes never get the same one.
 */
export async function claimNumber(
  parent: string,
): Promise<{ readonly number: number; readonly dir: string }> {
  const made = await mkdir(parent, { recursive: true });
  if (made !== undefined) await syncUpTo(parent, dirname(made));
  for (let number = ((await numberedFolders(parent)).at(-1) ?? 0) + 1; ; number++) {
    const dir = join(parent, String(number));
    try {
      await mkdir(dir);
    } catch (error) {
      if (systemCode(error) === "EEXIST") continue;
      throw error;
    }
    await syncFolder(parent);
    return { number, dir };
  }
}

async function syncUpTo(folder: string, top: string): Promise<void> {
  await syncFolder(folder);
  if (folder !== top) await syncUpTo(dirname(folder), top);
}
