import { expect, test } from "vitest";
import { known, unknown } from "../contract/absence.ts";
import { observedPolicy } from "../contract/scoring-policy.ts";
import { type BoardEntry, boardEntries } from "./board-entry.ts";
import { compareDetails } from "./compare-details.ts";
import type { Behaviour } from "./failures/behaviour.ts";
import { type ExampleAttempt, exampleAttempt, exampleRun } from "./fixtures/example-attempts.ts";

const behaviour: Behaviour = {
  calls: 3,
  screenCalls: 0,
  failedCalls: 0,
  toldCalls: 3,
  messages: 1,
  compactions: 0,
};
const options = { policy: observedPolicy, behaviourOf: () => undefined } as const;

function entryOf(scores: readonly number[], change: ExampleAttempt = {}): BoardEntry {
  const attempts = scores.map((score, index) => ({
    ...exampleAttempt({ instance: `w${index}@a`, score, ...change }),
    verdict: {
      schema: "ale/verdict@1",
      score,
      fullPass: score === 1,
      method: "checklist",
      checks: [],
      stages: [
        { name: "read", weight: 1, score: 1 },
        { name: "write", weight: 1, score },
      ],
      gates: [],
    } as const,
  }));
  const [entry] = boardEntries([exampleRun(attempts)]);
  if (entry === undefined) throw new Error("no entry");
  return entry;
}

test("domains, stages and amounts are compared on what both sides share", () => {
  const details = compareDetails(
    entryOf([0, 0, 1], { cost: known(1) }),
    entryOf([1, 1, 1, 1], { cost: known(3) }),
    { ...options, behaviourOf: () => behaviour },
  );
  expect(details.domains).toMatchObject([
    { domain: "legal", sharedInstances: 3, mean: { difference: 2 / 3 } },
  ]);
  expect(details.domains[0]?.pHolm).toBe(details.domains[0]?.mean.p);
  expect(details.stages.slice(0, 2)).toEqual([
    { workflow: "legal/w0", stage: "write", instances: 1, first: 0, second: 1, difference: 1 },
    { workflow: "legal/w1", stage: "write", instances: 1, first: 0, second: 1, difference: 1 },
  ]);
  expect(details.amounts[0]).toMatchObject({ amount: "costUsd", first: 1, second: 3, difference: 2 });
  expect(details.behaviour[0]).toMatchObject({ what: "calls", first: 3, second: 3, difference: 0 });
});

test("an unpriced trial makes the difference in cost unknown, with the reason", () => {
  const priced = entryOf([1, 0], { cost: known(1) });
  const details = compareDetails(priced, entryOf([1, 0], { cost: unknown("no price") }), options);
  expect(details.amounts[0]).toMatchObject({ difference: null, differenceReason: "unknown: no price" });
  expect(details.behaviour[0]).toMatchObject({ difference: null });
});

test("instances under other keys are in none of the details", () => {
  const details = compareDetails(entryOf([1, 0]), entryOf([1, 0], { key: "sha256:other" }), options);
  expect(details.domains).toEqual([]);
  expect(details.stages).toEqual([]);
  expect(details.amounts[0]).toMatchObject({ difference: null, differenceReason: "no shared instances" });
});
