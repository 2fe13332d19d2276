import { expect, test } from "vitest";
import { known, unknown } from "../../contract/absence.ts";
import type { Contestant, Effort } from "../../contract/contestant.ts";
import { observedPolicy } from "../../contract/scoring-policy.ts";
import { type BoardEntry, type BoardRun, boardEntries } from "../board-entry.ts";
import { type ExampleAttempt, exampleAttempt, exampleRun } from "../fixtures/example-attempts.ts";
import { filterInstances, type TaskFacts } from "../task-facts.ts";
import { bestPerTask } from "./best-per-task.ts";
import { domainScores } from "./domain-scores.ts";
import { effortCurves } from "./effort-curves.ts";
import { harnessModelMaps } from "./harness-model.ts";
import { instanceDifficulty } from "./instance-difficulty.ts";
import { repeatPasses } from "./repeat-passes.ts";
import { resourceUse } from "./resource-use.ts";
import { scoreVariance } from "./score-variance.ts";
import { trends } from "./trend.ts";

const options = { policy: observedPolicy, measure: "full-pass" } as const;

function sit(contestant: string, scores: readonly number[], change: ExampleAttempt = {}) {
  return scores.map((score, index) =>
    exampleAttempt({ contestant, instance: `w${index}@a`, score, ...change }),
  );
}

function entriesOf(...attempts: ReturnType<typeof sit>[]): readonly BoardEntry[] {
  return boardEntries([exampleRun(attempts.flat())]);
}

function named(
  entries: readonly BoardEntry[],
  change: Readonly<Record<string, Partial<Contestant>>>,
): readonly BoardEntry[] {
  return entries.map((entry) => ({
    ...entry,
    definition: { name: entry.contestant, harness: "h", settings: {}, ...change[entry.contestant] },
  }));
}

test("amounts are shown per trial and per pass, and one unknown price makes both unknown", () => {
  const [one, two, three] = resourceUse(
    entriesOf(
      sit("cheap", [1, 0, 0, 1], { cost: known(1) }),
      sit("dear", [1, 0, 0, 0], { cost: known(2) }),
      sit("unpriced", [1, 1, 1, 1], { cost: unknown("the model has no price") }),
    ),
    options,
  );
  expect([one?.costUsd.perTrial.value, one?.costUsd.perPass.value, one?.onParetoFront]).toEqual([1, 2, true]);
  expect([two?.costUsd.perPass.value, two?.onParetoFront]).toEqual([8, false]);
  expect(three?.costUsd.perTrial).toMatchObject({ value: null });
  expect(three?.costUsd.perTrial.valueReason).toMatch(/4 of 4 trials: the model has no price/);
  expect([three?.onParetoFront, three?.outputTokens.perTrial.value]).toEqual([null, 2]);
});

test("the best on a task may be several, and contestants of other keys are not compared", () => {
  const rows = bestPerTask(entriesOf(sit("a", [1, 0]), sit("b", [1, 1])), options);
  expect(rows.map((row) => (row.kind === "best" ? [row.value, row.contestants, row.passedBy] : row))).toEqual(
    [
      [1, ["a", "b"], 2],
      [1, ["b"], 1],
    ],
  );
  const mixed = bestPerTask(entriesOf(sit("a", [1]), sit("b", [1], { key: "sha256:other" })), options);
  expect(mixed).toMatchObject([{ kind: "refused" }]);
});

test("effort curves run from least to most effort, all else equal", () => {
  const efforts: readonly Effort[] = ["max", "low", "high"];
  const entries = named(entriesOf(...efforts.map((effort) => sit(effort, [1, 0]))), {
    ...Object.fromEntries(efforts.map((effort) => [effort, { model: "m", effort }])),
  });
  const [curve, ...others] = effortCurves(entries, options);
  expect(curve?.points.map((point) => point.effort)).toEqual(["low", "high", "max"]);
  expect(others).toEqual([]);
  expect(effortCurves(entries.slice(0, 1), options)).toEqual([]);
});

test("a heat map has a cell for each pair that was run, and none for the others", () => {
  const entries = named(entriesOf(sit("a", [1]), sit("b", [0]), sit("c", [0])), {
    a: { harness: "h1", model: "m1" },
    b: { harness: "h2", model: "m2" },
    c: { harness: "nop" },
  });
  const [map] = harnessModelMaps(entries, options);
  expect([map?.harnesses, map?.models]).toEqual([
    ["h1", "h2"],
    ["m1", "m2"],
  ]);
  expect(map?.cells.map((cell) => cell.contestant)).toEqual(["a", "b"]);
});

test("scores by domain are over the domain's own trials", () => {
  const rows = domainScores(entriesOf(sit("a", [1, 0]), sit("b", [1, 1])), options);
  expect(rows.map((row) => [row.domain, row.contestant, row.workflows, row.value])).toEqual([
    ["legal", "a", 2, 0.5],
    ["legal", "b", 2, 1],
  ]);
});

test("pass@k rises with k, pass^k falls, and too few runs make both unknown", () => {
  const attempts = ["w0@a", "w1@a"].flatMap((instance) =>
    [1, 0].map((score, index) => exampleAttempt({ instance, repeat: index + 1, score })),
  );
  const rows = repeatPasses(boardEntries([exampleRun(attempts)]), observedPolicy);
  expect(rows.map((row) => [row.k, row.any.value, row.all.value])).toEqual([
    [1, 0.5, 0.5],
    [2, 1, 0],
  ]);
  const uneven = repeatPasses(boardEntries([exampleRun(attempts.slice(0, 3))]), observedPolicy);
  expect(uneven[1]).toMatchObject({ tooFewRuns: 1, any: { value: null } });
});

test("a trend is in order of time and says where the key changed", () => {
  const at = (run: BoardRun, createdAt: number): BoardRun => ({ ...run, plan: { ...run.plan, createdAt } });
  const runs = [
    at(exampleRun(sit("a", [1, 1]), "/runs/new"), 20),
    at(exampleRun(sit("a", [0, 0]), "/runs/old"), 10),
    at(exampleRun(sit("a", [1, 1], { key: "sha256:other" }), "/runs/other"), 30),
  ];
  const [line] = trends(runs, options);
  expect(line?.points.map((point) => [point.at, point.value, point.comparableToLast])).toEqual([
    [10, 0, false],
    [20, 1, true],
    [30, 1, false],
  ]);
});

test("a variance split names what does not vary, and refuses what cannot carry it", () => {
  const { result, constant } = scoreVariance(entriesOf(sit("a", [1, 0]), sit("b", [0, 1])), options);
  expect(constant.map(({ factor }) => factor)).toEqual(["model", "effort"]);
  expect(result).toMatchObject({ kind: "refused" });
});

test("the instance that fewer pass is the harder one; few contestants are refused", () => {
  const sides = Array.from({ length: 24 }, (_, index) =>
    sit(`c${index}`, [
      Number(index % 4 !== 0),
      Number(index % 4 === 3),
      Number(index % 2),
      Number(index % 3 === 0),
    ]),
  );
  const fit = instanceDifficulty(entriesOf(...sides), observedPolicy);
  if (fit.kind !== "fit") throw new Error(fit.reason);
  const difficulty = fit.items.map((item) => (item.difficulty.known ? item.difficulty.value : Number.NaN));
  expect(fit.abilities).toHaveLength(24);
  expect(difficulty[1]).toBeGreaterThan(difficulty[0] ?? 0);
  expect(instanceDifficulty(entriesOf(...sides.slice(0, 3)), observedPolicy)).toMatchObject({
    kind: "refused",
  });
});

test("a filter keeps what matches every field, and names what it cannot judge", () => {
  const facts = (change: Partial<TaskFacts>): TaskFacts => ({
    domain: "legal",
    subfield: "1.1",
    tier: "near-term",
    os: "linux",
    channels: ["shell"],
    software: ["LibreOffice Calc"],
    ...change,
  });
  const known = new Map([
    ["legal/w0@a", facts({})],
    ["legal/w1@a", facts({ tier: "last-exam" })],
  ]);
  const ids = ["legal/w0@a", "legal/w1@a", "legal/w2@a", "art/w3@a"];
  const result = filterInstances(ids, { domain: ["legal"], tier: ["near-term"], software: ["calc"] }, known);
  expect([[...result.kept], result.left, result.unjudged]).toEqual([
    ["legal/w0@a"],
    ["legal/w1@a", "art/w3@a"],
    ["legal/w2@a"],
  ]);
  expect([...filterInstances(ids, { domain: ["art"] }, known).kept]).toEqual(["art/w3@a"]);
});

test("rows that differ as a whole are comparable on the part they share", () => {
  const runs = [exampleRun([...sit("a", [1, 1]), exampleAttempt({ contestant: "b", instance: "w0@a" })])];
  expect(new Set(boardEntries(runs).map((entry) => entry.key)).size).toBe(2);
  const part = boardEntries(runs, { instances: new Set(["legal/w0@a"]) });
  expect(new Set(part.map((entry) => entry.key)).size).toBe(1);
});
