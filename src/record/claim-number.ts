import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import { systemCode } from "../files/system-code.ts";
import { syncFolder } from "./durable-file.ts";
import { numberedFolders } from "./numbered-folders.ts";

/**
 * Makes the next numbered folder under `parent`. Making it is the claim, so two processes never get the same one.
 */
export async function claimNumber(
  parent: string,
): Promise<{ readonly number: number; readonly dir: string }> {
  const made = await makeFolder(parent);
  if (made !== undefined) await syncUpTo(parent, dirname(made));
  for (let number = (numberedFolders(parent).at(-1) ?? 0) + 1; ; number++) {
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
