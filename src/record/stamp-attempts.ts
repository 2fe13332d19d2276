import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { attemptFiles } from "./run-layout.ts";
import { type AttemptPlace, attemptPlaces, regradeFolders } from "./scan-attempts.ts";

/** An attempt with what its files look like: another stamp means that it must be read again. */
export interface StampedAttempt {
  readonly place: AttemptPlace;
  /** Time of change, size and inode of every file that an `AttemptRecord` is read from. */
  readonly stamp: string;
}

const atOnce = 100;

/** Every attempt of a run with its stamp, ordered by trial and attempt. */
export async function stampAttempts(runDir: string): Promise<readonly StampedAttempt[]> {
  const found: StampedAttempt[] = [];
  for (const [index, place] of (await attemptPlaces(runDir)).entries()) {
    if (index % atOnce === atOnce - 1) await setImmediate();
    found.push({ place, stamp: stampOf(place.dir) });
  }
  return found;
}

function stampOf(dir: string): string {
  const { result, verdict, regrade } = attemptFiles;
  const later = regradeFolders(dir).flatMap((folder) => [`${folder}/${regrade}`, `${folder}/${verdict}`]);
  return [`${dir}/${result}`, `${dir}/${verdict}`, ...later].map(lookOf).join(" ");
}

function lookOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "-" : `${found.mtimeNs}:${found.size}:${found.ino}`;
}
