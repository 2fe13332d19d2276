import { expect, test } from "vitest";
import { correlateExternal, type OwnScore } from "./correlate-external.ts";
import { externalScores } from "./external-scores.ts";

const ours: readonly OwnScore[] = [
  { contestant: "h:a:low", model: "a", value: 0.1 },
  { contestant: "h:a:high", model: "a", value: 0.3 },
  ...[0.3, 0.4, 0.5, 0.9].map((value, index) => ({
    contestant: `h:m${index}`,
    model: `M${index}`,
    value,
  })),
];

test("models are paired once, their rows averaged, and what has no pair is named", () => {
  const csv =
    "model,benchmark,score\na,swe,10\nm0,swe,20\nm1,swe,35\nm2,swe,31\nM3,swe,80\nzzz,swe,1\na,osw,1\n";
  const [swe, osw] = correlateExternal(ours, externalScores(csv, "x.csv"));
  expect(swe?.pairs[0]).toEqual({ model: "a", ours: 0.2, theirs: 10, rows: 2 });
  expect(swe?.unmatched).toEqual(["zzz"]);
  // Ranks 1 2 4 3 5 against 1 2 3 4 5: 1 - 6 · 2 / 120.
  expect(swe?.spearman.value).toBeCloseTo(0.9, 12);
  expect(swe?.pearson.low).toBeGreaterThan(0);
  expect(osw?.pearson).toMatchObject({ value: null, valueReason: "fewer than two pairs" });
});

test("a contestant's own name is taken before its model's", () => {
  const [only] = correlateExternal(ours, [{ model: "h:a:high", benchmark: "x", score: 1 }]);
  expect(only?.pairs).toEqual([{ model: "h:a:high", ours: 0.3, theirs: 1, rows: 1 }]);
});

test("every wrong line is named, and nothing is correlated", () => {
  const csv = "model,benchmark,score\na,swe,x\n,swe,1\na,swe,2\n";
  expect(() => externalScores(csv, "x.csv")).toThrow(
    /line 2: score is "x"[\s\S]*line 3: model is missing[\s\S]*line 4: the same model and benchmark as line 2/,
  );
  expect(() => externalScores("", "x.csv")).toThrow(/no rows/);
});
