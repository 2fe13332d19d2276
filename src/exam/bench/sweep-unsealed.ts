import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

const mark = "ale-unsealed-";

/** Prefix of folders that hold unsealed packages: says which process they belong to. */
export function unsealedPrefix(): string {
  return `${mark}${hostname()}-${process.pid}-`;
}

/** Removes what processes of this host that were killed have left unsealed. */
export async function sweepUnsealed(tempDir: string): Promise<void> {
  const ours = `${mark}${hostname()}-`;
  for (const name of await readdir(tempDir).catch(() => [])) {
    if (!name.startsWith(ours)) continue;
    const pid = Number(name.slice(ours.length).split("-")[0]);
    if (Number.isSafeInteger(pid) && pid > 0 && !isRunning(pid)) {
      await rm(join(tempDir, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
