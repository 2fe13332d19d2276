import type { JsonValue } from "../../contract/json-value.ts";
import type { Outcome } from "../outcome.ts";

/** A state as plain facts: what each is about, and its value. */
export type Facts = ReadonlyMap<string, string>;

export interface RequiredChangesOptions {
  /** What a fact is called in messages, default `entry`. */
  readonly noun?: string;
}

/**
 * Was what had to be changed changed rightly, and all else left alone? Of `needed` facts that differ between
 * `initial` and `expected`, `right` have their expected value; of all others, `harmed` have not. The score is
 * max(0, right − harmed) / needed, so that a state nobody touched scores 0, and only the expected state 1. A fact that
 * is absent on one side counts like any other value.
 *
 * Where nothing had to change, the score is 1 for the expected state and 0 otherwise.
 */
export function requiredChanges(
  actual: Facts,
  initial: Facts,
  expected: Facts,
  { noun = "entry" }: RequiredChangesOptions = {},
): Outcome {
  let [needed, right, harmed] = [0, 0, 0];
  const wrong: JsonValue[] = [];
  for (const about of [...new Set([...initial.keys(), ...expected.keys(), ...actual.keys()])].sort()) {
    const [was, wanted, is] = [initial.get(about), expected.get(about), actual.get(about)];
    const isNeeded = was !== wanted;
    if (isNeeded) needed++;
    if (is === wanted) {
      if (isNeeded) right++;
      continue;
    }
    if (!isNeeded) harmed++;
    const facts = { about, was: was ?? null, expected: wanted ?? null, found: is ?? null };
    if (wrong.length < 30) wrong.push(facts);
  }
  const score = needed === 0 ? Number(harmed === 0) : Math.max(0, right - harmed) / needed;
  return {
    score,
    message: `${right} of ${needed} changes are right (${noun}); ${harmed} others were changed that should not be.`,
    ...(wrong.length === 0 ? {} : { evidence: wrong }),
  };
}
