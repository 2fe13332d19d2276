import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type CountedTrial, countTrials } from "../board/counted-trial.ts";
import type { ExamLock } from "../contract/exam-lock.ts";
import type { ExamPlan } from "../contract/exam-plan.ts";
import { orAbsent } from "../files/or-absent.ts";
import { mapLimited } from "../record/map-limited.ts";
import { openRun } from "../record/open-run.ts";
import { readIndexedAttempts } from "../record/run-index.ts";
import { attemptFiles } from "../record/run-layout.ts";
import type { AttemptRecord } from "../record/run-record.ts";
import { readAttempts } from "../record/scan-attempts.ts";
import { type StampedAttempt, stampAttempts } from "../record/stamp-attempts.ts";

/** A run in memory, as it was on the disk when it was last looked at. */
export interface LoadedRun {
  readonly id: string;
  readonly dir: string;
  readonly plan: ExamPlan;
  readonly lock: ExamLock;
  readonly attempts: readonly AttemptRecord[];
  readonly trials: readonly CountedTrial[];
  /** Trials with an attempt that has no end and goes on, as far as can be told. */
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
  /** When the process on this machine that conducts it took it up; absent: none is known. */
  readonly since?: number;
  /** Reads the attempts themselves, and leaves the run's index as it is. */
  readonly withoutIndex?: boolean;
}

/** Where no conductor is known, an attempt without an end that wrote within this time is taken to be running. */
const activeMs = 60_000;
const readsAtOnce = 64;

/** Reads a run by way of its index, or of a run already read only what changed. */
export async function refreshRun(options: RefreshOptions): Promise<LoadedRun> {
  const { id, dir, before, now, since, withoutIndex = false } = options;
  const { plan, lock } = before ?? (await openRun(dir));
  const { attempts, stamps } =
    before === undefined && !withoutIndex
      ? await readIndexedAttempts(dir)
      : await reread(before ?? { dir, attempts: [], stamps: new Map() });
  const active = await activeTrials(attempts, since ?? now - activeMs);
  if (before !== undefined && sameEntries(before.stamps, stamps) && sameMembers(before.active, active)) {
    return before;
  }
  const trials = countTrials(attempts, plan.trials);
  return { id, dir, plan, lock, attempts, trials, active, version: (before?.version ?? 0) + 1, stamps };
}

async function reread(
  before: Pick<LoadedRun, "dir" | "attempts" | "stamps">,
): Promise<Pick<LoadedRun, "attempts" | "stamps">> {
  const stamped = await stampAttempts(before.dir);
  const known = new Map(before.attempts.map((attempt) => [attempt.dir, attempt]));
  const isKnown = ({ place, stamp }: StampedAttempt): boolean => before.stamps.get(place.dir) === stamp;
  const read = await readAttempts(stamped.filter((one) => !isKnown(one)).map(({ place }) => place));
  for (const attempt of read) known.set(attempt.dir, attempt);
  return {
    attempts: stamped.map(({ place }) => known.get(place.dir)).filter((attempt) => attempt !== undefined),
    stamps: new Map(stamped.map(({ place, stamp }) => [place.dir, stamp])),
  };
}

async function activeTrials(attempts: readonly AttemptRecord[], since: number): Promise<ReadonlySet<string>> {
  const open = attempts.filter((attempt) => attempt.result === undefined);
  const wrote = await mapLimited(open, readsAtOnce, (attempt) => wroteSince(attempt, since));
  return new Set(open.filter((_, index) => wrote[index]).map(({ trial }) => trial));
}

async function wroteSince(place: AttemptRecord, since: number): Promise<boolean> {
  const found = await orAbsent(stat(join(place.dir, attemptFiles.events)));
  return found !== undefined && found.mtimeMs >= since;
}

function sameEntries(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}

function sameMembers(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((member) => other.has(member));
}
