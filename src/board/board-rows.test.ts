import fc from "fast-check";
import { expect, test } from "vitest";
import { observedPolicy } from "../contract/scoring-policy.ts";
import { boardEntries } from "./board-entry.ts";
import { type Board, type BoardOutcome, boardRows, type VerifiedLane } from "./board-rows.ts";
import { type ExampleAttempt, exampleAttempt, exampleRun } from "./fixtures/example-attempts.ts";

const workflows = ["w1", "w2", "w3", "w4", "w5", "w6"];
const instances = workflows.flatMap((name) => [`${name}@a`, `${name}@b`]);

function sit(contestant: string, score: (index: number) => number | undefined, change: ExampleAttempt = {}) {
  return instances.map((instance, index) =>
    exampleAttempt({ contestant, instance, score: score(index), ...change }),
  );
}

function outcome(lane: VerifiedLane, ...attempts: ReturnType<typeof sit>[]): BoardOutcome {
  return boardRows(boardEntries([exampleRun(attempts.flat())]), { lane, policy: observedPolicy });
}

function board(lane: VerifiedLane, ...attempts: ReturnType<typeof sit>[]): Board {
  const result = outcome(lane, ...attempts);
  if (result.kind !== "board") throw new Error(result.message);
  return result.board;
}

const lanes: readonly VerifiedLane[] = ["full-pass-verified", "mean-verified"];

test("on either lane the oracle stands alone before baselines that are tied at nothing", () => {
  for (const lane of lanes) {
    const { rows, ...rest } = board(
      lane,
      sit("nop", () => 0),
      sit("oracle", () => 1),
      sit("bluffer", () => 0),
    );
    expect(rest).toMatchObject({ lane, policy: "observed", estimand: "workflow" });
    expect(
      rows.map((row) => [row.contestant, row.n, row.value, row.band, row.rankLow, row.rankHigh]),
    ).toEqual([
      ["oracle", 12, 1, 1, 1, 1],
      ["bluffer", 12, 0, 2, 2, 3],
      ["nop", 12, 0, 2, 2, 3],
    ]);
    expect(rows[0]).toMatchObject({ high: 1, costUsd: 6 });
    expect(rows[0]?.low).toBeGreaterThan(0.5);
    expect(rows[1]?.high).toBeLessThan(0.5);
  }
});

test("a small lead is a tie", () => {
  const { rows } = board(
    "full-pass-verified",
    sit("first", (index) => Number(index < 7)),
    sit("second", (index) => Number(index < 5)),
  );
  expect(rows.map((row) => [row.contestant, row.band, row.rankLow, row.rankHigh])).toEqual([
    ["first", 1, 1, 2],
    ["second", 1, 1, 2],
  ]);
});

test("rows of unequal keys stand on boards of their own, and the difference is told field by field", () => {
  const result = outcome(
    "mean-verified",
    sit("one", () => 1),
    sit("two", () => 0.5),
    sit("three", () => 1, { key: "sha256:other", fingerprint: { os: "linux", limits: { memoryMb: 4096 } } }),
  );
  if (result.kind !== "unequal-keys") throw new Error(result.kind);
  expect(result.boards.map((one) => one.rows.map((row) => row.contestant))).toEqual([
    ["one", "two"],
    ["three"],
  ]);
  expect(result.differences).toEqual([
    {
      field: "fingerprint.limits.memoryMb",
      first: "one",
      second: "three",
      firstValue: "absent",
      secondValue: "4096",
    },
  ]);
  expect(result.message).toBe("three cannot be ranked with one: not the same in fingerprint.limits.memoryMb");
});

test("other instances, another task package or an opaque key each have their own words", () => {
  const fields = (change: ExampleAttempt): readonly string[] => {
    const attempts = [
      exampleAttempt({ contestant: "one" }),
      exampleAttempt({ contestant: "two", ...change }),
    ];
    const result = outcome("mean-verified", attempts);
    return result.kind === "unequal-keys"
      ? result.differences.map((difference) => difference.field)
      : [result.kind];
  };
  expect(fields({})).toEqual(["board"]);
  expect(fields({ instance: "w2@a" })).toEqual(["instances"]);
  expect(fields({ key: "sha256:k", taskHash: "sha256:t" })).toEqual(["task legal/w1@a"]);
  expect(fields({ key: "sha256:k" })).toEqual(["comparabilityKey legal/w1@a"]);
});

test("the lock's fields of a key are compared by name, each once", () => {
  const locked = (key: string, wall_minutes: number) =>
    instances.map((name) => ({
      instance: `legal/${name}`,
      packageDir: "/tasks",
      format: "ale",
      taskHash: "sha256:task",
      comparabilityKey: key,
      comparability: { content: "sha256:task", limits: { wall_minutes }, network: "off" },
    }));
  const runs = [
    exampleRun(
      sit("one", () => 1, { key: "sha256:a" }),
      "/runs/a",
      locked("sha256:a", 60),
    ),
    exampleRun(
      sit("two", () => 1, { key: "sha256:b" }),
      "/runs/b",
      locked("sha256:b", 120),
    ),
  ];
  const result = boardRows(boardEntries(runs), { lane: "mean-verified", policy: observedPolicy });
  expect(result).toMatchObject({
    kind: "unequal-keys",
    differences: [{ field: "limits.wall_minutes", firstValue: "60", secondValue: "120" }],
  });
});

test("a row graded under two keys has no value and says why", () => {
  const mixed = [exampleAttempt({ repeat: 1 }), exampleAttempt({ repeat: 2, key: "sha256:other" })];
  const [row] = board("mean-verified", mixed).rows;
  expect(row).toMatchObject({ value: null, band: null, rankLow: null });
  expect(row?.valueReason).toContain("more than one comparability key");
});

test("a contestant without a known score stays on the board, unranked", () => {
  const { rows } = board(
    "mean-verified",
    sit("broken", () => undefined, { status: "env_error" }),
    sit("fine", () => 0.5),
  );
  expect(rows.map((row) => [row.contestant, row.value, row.band])).toEqual([
    ["fine", 0.5, 1],
    ["broken", null, null],
  ]);
  expect(rows[1]).toMatchObject({ missing: 12, bracketLow: 0, bracketHigh: 1 });
});

test("the same contestant of two runs is one row of more repeats, and one run named twice is one run", () => {
  const first = exampleRun(
    sit("oracle", () => 1),
    "/runs/one",
  );
  const second = exampleRun(
    sit("oracle", () => 0),
    "/runs/two",
  );
  const [merged, ...rest] = boardEntries([first, second, first]);
  expect(rest).toEqual([]);
  expect(merged?.trials).toHaveLength(24);
  const changed = exampleRun(
    sit("oracle", () => 1, { key: "sha256:other" }),
    "/runs/three",
  );
  expect(boardEntries([first, changed]).map((entry) => entry.contestant)).toEqual([
    "oracle",
    "oracle (three)",
  ]);
});

test("no trials give no board, in words", () => {
  expect(boardRows([], { lane: "mean-verified", policy: observedPolicy })).toEqual({
    kind: "nothing",
    message: expect.stringContaining("no trials"),
  });
});

test("whatever the scores, rows fall in value, bands rise from 1 without gaps, and the order of input is nothing", () => {
  const scores = fc.array(fc.constantFrom(0, 0.2, 0.5, 1), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(
      fc.array(scores, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(...lanes),
      (table, lane) => {
        const attempts = table.map((row, index) => sit(`c${index}`, (at) => row[at]));
        const { rows } = board(lane, ...attempts);
        expect(rows).toHaveLength(table.length);
        rows.forEach((row, index) => {
          const before = rows[index - 1];
          expect(row.value ?? 2).toBeLessThanOrEqual(before?.value ?? 1);
          const step = (row.band ?? 0) - (before?.band ?? 1);
          expect([0, 1]).toContain(step);
          expect(row.rankLow ?? 9).toBeLessThanOrEqual(index + 1);
          expect(row.rankHigh ?? 0).toBeGreaterThanOrEqual(index + 1);
        });
        expect(board(lane, ...attempts.toReversed())).toEqual(board(lane, ...attempts));
      },
    ),
    { numRuns: 40 },
  );
});
