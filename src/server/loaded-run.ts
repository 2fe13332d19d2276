import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type CountedTrial, countTrials } from "../board/counted-trial.ts";
import type { ExamLock } from "../contract/exam-lock.ts";
import type { ExamPlan } from "../contract/exam-plan.ts";
import { orAbsent } from "../record/file-error.ts";
import { openRun } from "../record/open-run.ts";
import { attemptFiles } from "../record/run-layout.ts";
import type { AttemptRecord } from "../record/run-record.ts";
import { type AttemptPlace, attemptPlaces, readAttempt, regradeFolders } from "../record/scan-attempts.ts";
import { mapLimited } from "./map-limited.ts";

/** A run in memory, as it was on the disk when it was last looked at. */
export interface LoadedRun {
  readonly id: string;
  readonly dir: string;
  readonly plan: ExamPlan;
  readonly lock: ExamLock;
  readonly attempts: readonly AttemptRecord[];
  readonly trials: readonly CountedTrial[];
  /** Trials with an attempt that has no end and has written lately. */
  readonly active: ReadonlySet<string>;
  /** Goes up whenever something changed. */
  readonly version: number;
  /** What each attempt's files looked like when they were read. */
  readonly stamps: ReadonlyMap<string, string>;
}

export interface RefreshOptions {
  readonly id: string;
  readonly dir: string;
  readonly before: LoadedRun | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** An attempt without an end that wrote within this time is taken to be running. */
const activeMs = 60_000;
const readsAtOnce = 32;

/** Reads a run, or of a run already read only what changed. */
export async function refreshRun({ id, dir, before, now }: RefreshOptions): Promise<LoadedRun> {
  const { plan, lock } = before ?? (await openRun(dir));
  const known = new Map(before?.attempts.map((attempt) => [attempt.dir, attempt]));
  const looked = await mapLimited(await attemptPlaces(dir), readsAtOnce, async (place) => {
    const stamp = await stampOf(place.dir);
    const old = before?.stamps.get(place.dir) === stamp ? known.get(place.dir) : undefined;
    const attempt = old ?? (await readAttempt(place));
    return {
      attempt,
      stamp,
      active: attempt.result === undefined && (await wroteSince(place, now - activeMs)),
    };
  });
  const stamps = new Map(looked.map(({ attempt, stamp }) => [attempt.dir, stamp]));
  const active = new Set(looked.filter((one) => one.active).map(({ attempt }) => attempt.trial));
  if (before !== undefined && sameEntries(before.stamps, stamps) && sameMembers(before.active, active)) {
    return before;
  }
  const attempts = looked.map(({ attempt }) => attempt);
  const trials = countTrials(attempts, plan.trials);
  return { id, dir, plan, lock, attempts, trials, active, version: (before?.version ?? 0) + 1, stamps };
}

async function stampOf(attemptDir: string): Promise<string> {
  const folders = await regradeFolders(attemptDir);
  const paths = [attemptDir, ...folders].map((folder, index) =>
    join(folder, index === 0 ? attemptFiles.result : attemptFiles.regrade),
  );
  const stats = await Promise.all(paths.map((path) => orAbsent(stat(path))));
  return stats.map((found) => (found === undefined ? "-" : `${found.mtimeMs}:${found.size}`)).join(" ");
}

async function wroteSince(place: AttemptPlace, since: number): Promise<boolean> {
  const found = await orAbsent(stat(join(place.dir, attemptFiles.events)));
  return found !== undefined && found.mtimeMs >= since;
}

function sameEntries(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}

function sameMembers(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((member) => other.has(member));
}
