import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { systemCode } from "./file-error.ts";
import { attemptFiles, attemptsFolder, trialsFolder } from "./run-layout.ts";
import type { AttemptPlace } from "./scan-attempts.ts";

/** An attempt with what its files look like: another stamp means that it must be read again. */
export interface StampedAttempt extends AttemptPlace {
  /** Time of change, size and inode of every file that an `AttemptRecord` is read from. */
  readonly stamp: string;
}

/** Trials looked at before others get their turn. */
const trialsAtOnce = 200;

/**
 * Every attempt of a run with its stamp, ordered by trial and attempt. Asks the file system synchronously, some trials at
 * a time: for tens of thousands of attempts the way through the thread pool costs ten times the question.
 */
export async function stampAttempts(runDir: string): Promise<readonly StampedAttempt[]> {
  const found: StampedAttempt[] = [];
  const trials = namesIn(trialsFolder(runDir)).sort();
  for (const [index, trial] of trials.entries()) {
    if (index % trialsAtOnce === trialsAtOnce - 1) await setImmediate();
    const parent = attemptsFolder(runDir, trial);
    for (const attempt of numbersIn(parent)) {
      const dir = join(parent, String(attempt));
      found.push({ trial, attempt, dir, stamp: stampOf(dir) });
    }
  }
  return found;
}

function stampOf(dir: string): string {
  const stamp = `${lookOf(`${dir}/${attemptFiles.result}`)} ${lookOf(`${dir}/${attemptFiles.verdict}`)}`;
  const regrades = `${dir}/${attemptFiles.regrades}`;
  if (!existsSync(regrades)) return stamp;
  const later = numbersIn(regrades).map(
    (number) =>
      `${number} ${lookOf(`${regrades}/${number}/${attemptFiles.regrade}`)} ${lookOf(`${regrades}/${number}/${attemptFiles.verdict}`)}`,
  );
  return [stamp, ...later].join(" ");
}

function lookOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "-" : `${found.mtimeNs}:${found.size}:${found.ino}`;
}

function numbersIn(folder: string): readonly number[] {
  return namesIn(folder)
    .filter((name) => /^[1-9]\d{0,8}$/.test(name))
    .map(Number)
    .sort((one, other) => one - other);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}
