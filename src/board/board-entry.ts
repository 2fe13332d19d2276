import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { Contestant } from "../contract/contestant.ts";
import type { JsonValue } from "../contract/json-value.ts";
import type { AttemptRecord, RunRecord } from "../record/run-record.ts";
import { type CountedTrial, countTrials } from "./counted-trial.ts";

/** A run as a board needs it: what {@link RunRecord} gives, with its attempts already read. */
export interface BoardRun extends Pick<RunRecord, "dir" | "plan" | "lock"> {
  readonly attempts: readonly AttemptRecord[];
}

/** What an instance was graded under. */
export interface InstanceConditions {
  readonly comparabilityKey: string;
  readonly taskHash: string;
  /** What the key is the hash of, from the lock; absent for a key that is not the lock's, as after a regrade. */
  readonly comparability: Readonly<Record<string, JsonValue>> | undefined;
  /** Absent: no attempt was finished, and the key is that of the lock. */
  readonly fingerprint: JsonValue | undefined;
}

/** A row to be: one contestant's trials under one comparability key. */
export interface BoardEntry {
  /** Unique on the board. */
  readonly contestant: string;
  /** Harness, model, effort and settings; absent where the plan does not name the contestant. */
  readonly definition: Contestant | undefined;
  /** Hash over every instance with its comparability key. */
  readonly key: string;
  readonly trials: readonly CountedTrial[];
  /** By instance. */
  readonly conditions: ReadonlyMap<string, InstanceConditions>;
  /** Instances of this row that were graded under more than one key. */
  readonly mixed: readonly string[];
}

export interface BoardEntriesOptions {
  /** Instances to count; default: all. Keys are then over these alone, so that rows may be comparable on a part. */
  readonly instances?: ReadonlySet<string>;
}

/**
 * The rows of some runs. Trials of a contestant in several runs make one row where contestant, harness version and key
 * are equal: they are repeats. Otherwise they stay apart, the later ones with the run's name behind theirs.
 */
export function boardEntries(
  runs: readonly BoardRun[],
  options: BoardEntriesOptions = {},
): readonly BoardEntry[] {
  const entries = new Map<string, BoardEntry>();
  const names = new Set<string>();
  // The same run named twice is one run, not twice as many repeats.
  const distinct = new Map(runs.map((run) => [run.dir, run]));
  for (const run of distinct.values()) {
    const all = countTrials(run.attempts, run.plan.trials);
    const trials = all.filter((trial) => options.instances?.has(trial.instance) ?? true);
    for (const [name, own] of Map.groupBy(trials, (trial) => trial.contestant)) {
      const drawn = conditionsOf(own, run);
      const identity = JSON.stringify([identityOf(name, own, run), drawn.key]);
      const same = entries.get(identity);
      if (same !== undefined) {
        entries.set(identity, { ...same, trials: [...same.trials, ...own] });
        continue;
      }
      const contestant = freeName(name, basename(run.dir), names);
      names.add(contestant);
      const definition = definitionOf(name, run);
      entries.set(identity, { contestant, definition, trials: own, ...drawn });
    }
  }
  return [...entries.values()];
}

function conditionsOf(
  trials: readonly CountedTrial[],
  run: BoardRun,
): Pick<BoardEntry, "key" | "conditions" | "mixed"> {
  const locked = new Map(run.lock.instances.map((instance) => [instance.instance, instance]));
  const conditions = new Map<string, InstanceConditions>();
  const keys = new Set<string>();
  const mixed = new Set<string>();
  // Trials that were finished first: only an instance without any takes its key from the lock.
  const finishedFirst = trials.toSorted(
    (one, other) => Number(other.counted !== undefined) - Number(one.counted !== undefined),
  );
  for (const { instance, counted } of finishedFirst) {
    const before = conditions.get(instance);
    if (counted === undefined && before !== undefined) continue;
    const source = counted?.grade ?? locked.get(instance);
    const comparabilityKey = source?.comparabilityKey ?? "unknown";
    if (before !== undefined && before.comparabilityKey !== comparabilityKey) mixed.add(instance);
    const lock = locked.get(instance);
    conditions.set(instance, {
      comparabilityKey,
      taskHash: source?.taskHash ?? "unknown",
      comparability: lock?.comparabilityKey === comparabilityKey ? lock.comparability : undefined,
      fingerprint: counted?.result.fingerprint,
    });
    keys.add(`${instance} ${comparabilityKey}`);
  }
  const digest = createHash("sha256")
    .update([...keys].sort().join("\n"))
    .digest("hex");
  return { key: `sha256:${digest}`, conditions, mixed: [...mixed].sort() };
}

/** What makes a contestant the same in two runs. */
function identityOf(name: string, trials: readonly CountedTrial[], run: BoardRun): JsonValue {
  const contestant = definitionOf(name, run);
  const versions = new Set(
    trials.flatMap(({ counted }) => (counted === undefined ? [] : [counted.result.harnessVersion])),
  );
  const definition = contestant === undefined ? name : JSON.stringify(contestant);
  return [definition, ...[...versions].sort()];
}

function definitionOf(name: string, run: BoardRun): Contestant | undefined {
  return run.plan.contestants.find((candidate) => candidate.name === name);
}

function freeName(name: string, run: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const named = `${name} (${run})`;
  for (let number = 2; ; number++) {
    const candidate = number === 2 ? named : `${named} ${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
