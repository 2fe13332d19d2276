import fc from "fast-check";
import { expect, test } from "vitest";
import { known, unknown } from "../contract/absence.ts";
import { aleMissingZeroPolicy, observedPolicy } from "../contract/scoring-policy.ts";
import { trialStatuses } from "../contract/trial-status.ts";
import type { AttemptRecord } from "../record/run-record.ts";
import { countTrials } from "./counted-trial.ts";
import { type ExampleAttempt, exampleAttempt } from "./fixtures/example-attempts.ts";
import { type ContestantSummary, summariseRun } from "./summarise-run.ts";

function only(attempts: readonly AttemptRecord[], policy = observedPolicy): ContestantSummary {
  const [summary] = summariseRun(attempts, policy);
  if (summary === undefined) throw new Error("no contestant");
  return summary;
}

const sixWorkflows = ["w1@a", "w1@b", "w2@a", "w3@a", "w4@a", "w5@a", "w6@a"];

test("a contestant that passes everything has rate 1 and an interval that still has a width", () => {
  const summary = only(sixWorkflows.map((instance) => exampleAttempt({ instance })));
  expect(summary).toMatchObject({
    contestant: "oracle",
    trials: 7,
    statuses: { completed: 7 },
    fullPass: { passes: 7, n: 7, rate: 1, high: 1, bracketLow: 1, bracketHigh: 1, estimand: "workflow" },
    mean: { value: 1 },
    costUsd: 3.5,
    tokens: { input: 70, cached: 28, output: 14 },
  });
  expect(summary.fullPass.low).toBeCloseTo(0.025 ** (1 / 6), 10);
});

test("missing trials stay out of the value and open the bracket", () => {
  const summary = only([
    exampleAttempt({ instance: "w1@a" }),
    exampleAttempt({ instance: "w2@a", score: 0.5 }),
    exampleAttempt({ instance: "w3@a", status: "env_error", score: undefined }),
    exampleAttempt({ instance: "w4@a", status: "timeout", score: undefined }),
  ]);
  expect(summary.mean).toMatchObject({ value: 0.5, n: 3, bracketLow: 1.5 / 4, bracketHigh: 2.5 / 4 });
  expect(summary.fullPass).toMatchObject({ passes: 1, n: 3 });
  expect(summary).toMatchObject({ missing: 1, excluded: 0 });
});

test("the policy of ALE's board counts what is missing as a failure", () => {
  const attempts = [
    exampleAttempt(),
    exampleAttempt({ instance: "w2@a", status: "env_error", score: undefined }),
  ];
  expect(only(attempts, aleMissingZeroPolicy).mean).toMatchObject({ value: 0.5, n: 2 });
});

test("an excluded status leaves the denominator and is counted by name", () => {
  const policy = { ...observedPolicy, refused: "excluded" as const };
  const summary = only(
    [exampleAttempt(), exampleAttempt({ instance: "w2@a", status: "refused", score: undefined })],
    policy,
  );
  expect(summary).toMatchObject({
    excluded: 1,
    statuses: { completed: 1, refused: 1 },
    fullPass: { n: 1, bracketHigh: 1 },
  });
});

test("planned trials that were never finished are missing, not forgotten", () => {
  const planned = ["w1@a", "w2@a"].map((instance) => ({
    id: `oracle.${instance.replace("@", ".")}.r1`,
    contestant: "oracle",
    instance: `legal/${instance}`,
    repeat: 1,
  }));
  const attempts = [exampleAttempt(), exampleAttempt({ instance: "w2@a", cutOff: true })];
  const [summary] = summariseRun(attempts, observedPolicy, { planned });
  expect(summary).toMatchObject({
    trials: 2,
    missing: 1,
    statuses: { completed: 1, "not-finished": 1 },
    mean: { bracketLow: 0.5 },
    costUsd: null,
    costUsdReason: expect.stringContaining("no attempt was finished"),
  });
});

test("an unknown cost of one trial makes the sum unknown, with the reason", () => {
  const summary = only([
    exampleAttempt(),
    exampleAttempt({ instance: "w2@a", cost: unknown("the model has no price") }),
  ]);
  expect(summary.costUsd).toBeNull();
  expect(summary.costUsdReason).toBe("unknown for 1 of 2 trials: the model has no price");
});

test("without any known score every figure is null with its reason", () => {
  const summary = only([exampleAttempt({ status: "verifier_error", score: undefined })]);
  expect(summary.mean).toMatchObject({ value: null, low: null, high: null, bracketLow: 0, bracketHigh: 1 });
  expect(summary.mean.valueReason).toContain("1 missing");
  expect(summary.fullPass.rateReason).toContain("1 missing");
});

test("the last attempt that ended by the contestant's doing counts, whatever came after", () => {
  const picked = (...attempts: ExampleAttempt[]): number | undefined =>
    countTrials(attempts.map((attempt, index) => exampleAttempt({ ...attempt, attempt: index + 1 })))[0]
      ?.counted?.result.attempt;
  expect(picked({ status: "env_error" }, { status: "completed" })).toBe(2);
  expect(picked({ status: "completed" }, { status: "timeout" })).toBe(2);
  expect(picked({ status: "completed" }, { status: "env_error" }, { status: "cancelled" })).toBe(1);
  expect(picked({ status: "env_error" }, { status: "cancelled" })).toBe(2);
  expect(picked({ status: "completed" }, { cutOff: true })).toBe(1);
});

test("a regrade's verdict replaces the score and the status it repairs", () => {
  const regraded = exampleAttempt({
    status: "verifier_error",
    score: undefined,
    regrades: [
      {
        schema: "ale/regrade@1",
        regrade: 1,
        at: 0,
        because: "grader fixed",
        taskHash: "sha256:task2",
        comparabilityKey: "sha256:key2",
        status: "completed",
        outcome: { kind: "verdict" },
        verdict: {
          schema: "ale/verdict@1",
          score: 0.75,
          fullPass: false,
          method: "checklist",
          checks: [],
          stages: [],
          gates: [],
        },
      },
    ],
  });
  expect(only([regraded])).toMatchObject({ statuses: { completed: 1 }, mean: { value: 0.75 } });
});

const anyAttempt = fc.record({
  contestant: fc.constantFrom("one", "two"),
  instance: fc.constantFrom(...sixWorkflows),
  repeat: fc.integer({ min: 1, max: 3 }),
  status: fc.constantFrom(...trialStatuses),
  score: fc.option(fc.constantFrom(0, 0.3, 1), { nil: undefined }),
});

test("every trial is counted once, and the bracket holds the value", () => {
  fc.assert(
    fc.property(fc.array(anyAttempt, { maxLength: 30 }), (rows) => {
      const attempts = rows.map((row) => exampleAttempt(row));
      const distinct = new Map(attempts.map((attempt) => [attempt.trial, attempt]));
      const summaries = summariseRun([...distinct.values()], observedPolicy);
      expect(summaries.reduce((sum, one) => sum + one.trials, 0)).toBe(distinct.size);
      for (const { trials, missing, excluded, mean, fullPass, statuses } of summaries) {
        expect(mean.n + missing + excluded).toBe(trials);
        expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(trials);
        if (mean.value === null || fullPass.rate === null) continue;
        expect(fullPass.rate).toBeLessThanOrEqual(mean.value + 1e-12);
        if (mean.low !== null) expect(mean.low).toBeLessThan(mean.high ?? 0);
        expect(mean.bracketLow ?? 2).toBeLessThanOrEqual(mean.bracketHigh ?? -1);
      }
    }),
  );
});

test("nothing in a summary is not JSON", () => {
  const summary = only([exampleAttempt({ status: "cancelled", score: undefined, cost: known(0) })]);
  expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
});
