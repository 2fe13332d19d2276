import { expect, test } from "vitest";
import { known, unknown } from "../contract/absence.ts";
import { observedPolicy } from "../contract/scoring-policy.ts";
import { type BoardEntry, boardEntries } from "./board-entry.ts";
import { type Comparison, compareEntries } from "./compare-entries.ts";
import { costPerPass } from "./cost-per-pass.ts";
import { countTrials } from "./counted-trial.ts";
import { type ExampleAttempt, exampleAttempt, exampleRun } from "./fixtures/example-attempts.ts";

function compare(first: readonly ExampleAttempt[], second: readonly ExampleAttempt[]): Comparison {
  const attempts = [
    ...first.map((one) => exampleAttempt({ ...one, contestant: "before" })),
    ...second.map((one) => exampleAttempt({ ...one, contestant: "after" })),
  ];
  const entries = boardEntries([exampleRun(attempts)]);
  const find = (name: string): BoardEntry => {
    const entry = entries.find((candidate) => candidate.contestant === name);
    if (entry === undefined) throw new Error(`no ${name}`);
    return entry;
  };
  return compareEntries(find("before"), find("after"), { policy: observedPolicy });
}

test("gains and losses are told by instance, largest first, and the sign is that of the second", () => {
  const comparison = compare(
    [
      { instance: "w1@a", score: 0.2 },
      { instance: "w2@a", score: 0.5 },
      { instance: "w3@a", score: 1 },
      { instance: "w4@a", score: 0.5 },
    ],
    [
      { instance: "w1@a", score: 0.5 },
      { instance: "w2@a", score: 1 },
      { instance: "w3@a", score: 0.9 },
      { instance: "w4@a", score: 0.5 },
    ],
  );
  expect(comparison.mean).toMatchObject({
    difference: expect.closeTo(0.7 / 4, 12),
    gained: ["legal/w2@a", "legal/w1@a"],
    lost: ["legal/w3@a"],
    test: "cluster-robust t (CR1)",
  });
  expect(comparison.fullPass).toMatchObject({ difference: 0, p: 1, test: "exact McNemar" });
  expect(comparison).toMatchObject({ sharedInstances: 4, onlyFirst: 0, onlySecond: 0, notComparable: [] });
});

test("instances of one side alone, and instances of unequal keys, are left out and named", () => {
  const comparison = compare(
    [{ instance: "w1@a" }, { instance: "w2@a" }, { instance: "w3@a", key: "sha256:old" }],
    [
      { instance: "w2@a" },
      { instance: "w3@a", key: "sha256:new" },
      { instance: "w4@a" },
      { instance: "w5@a" },
    ],
  );
  expect(comparison).toMatchObject({
    sharedInstances: 1,
    onlyFirst: 1,
    onlySecond: 2,
    notComparable: ["legal/w3@a"],
  });
  expect(comparison.differences.map((difference) => difference.field)).toEqual([
    "instances",
    "comparabilityKey legal/w3@a",
  ]);
});

test("without shared instances there is no number, with the reason", () => {
  const { mean } = compare([{ instance: "w1@a" }], [{ instance: "w2@a" }]);
  expect(mean).toMatchObject({ difference: null, differenceReason: "no shared instances", p: null });
});

test("cost per pass is the ratio of means over workflows", () => {
  const trials = countTrials([
    exampleAttempt({ instance: "w1@a", cost: known(2) }),
    exampleAttempt({ instance: "w1@b", cost: known(4), score: 0 }),
    exampleAttempt({ instance: "w2@a", cost: known(1) }),
    exampleAttempt({ instance: "w3@a", cost: known(1) }),
    exampleAttempt({ instance: "w4@a", cost: known(9), status: "env_error" }),
  ]);
  expect(costPerPass(trials, observedPolicy).value).toEqual(known((3 + 1 + 1) / (0.5 + 1 + 1)));
});

test("cost per pass is unknown without a price or without a pass", () => {
  const priceless = countTrials([exampleAttempt({ cost: unknown("the model has no price") })]);
  expect(costPerPass(priceless, observedPolicy).value).toEqual({
    known: false,
    reason: expect.stringContaining("no price"),
  });
  const failed = countTrials([exampleAttempt({ score: 0.9 })]);
  expect(costPerPass(failed, observedPolicy).value).toEqual(unknown("nothing was passed in full"));
});
