import { describe, expect, test } from "vitest";
import { type Check, type Verdict, verdictSchema } from "./verdict.ts";

const check = (changes: Partial<Check>): Check => ({
  id: "total",
  stage: "sums",
  weight: 1,
  gate: false,
  score: 1,
  message: "",
  ...changes,
});

const verdict = (score: number, changes: Partial<Verdict>): Verdict => ({
  schema: "ale/verdict@1",
  score,
  fullPass: score === 1,
  method: "gate-and-score",
  checks: [],
  stages: [],
  gates: [],
  ...changes,
});

function problem(candidate: Verdict): string | undefined {
  return verdictSchema.safeParse(candidate).error?.issues[0]?.message;
}

describe("the score of a verdict", () => {
  test("is 0 once a gate has failed, in the checks or in the gates", () => {
    const failed = check({ id: "opens", gate: true, weight: 0, score: 0.5 });
    expect(problem(verdict(0.4, { checks: [failed] }))).toBe('must be 0: gate "opens" failed');
    const gates = [{ id: "opens", passed: false }];
    expect(problem(verdict(0.4, { gates }))).toBe('must be 0: gate "opens" failed');
    expect(problem(verdict(0, { checks: [failed], gates }))).toBeUndefined();
  });

  test("is 1 only when every check with a weight is", () => {
    const missed = check({ score: 0.9 });
    expect(problem(verdict(1, { checks: [missed] }))).toBe('must be below 1: check "total" scores 0.9');
    expect(problem(verdict(0.9, { checks: [missed] }))).toBeUndefined();
    expect(problem(verdict(1, { checks: [check({ score: 0, weight: 0 })] }))).toBeUndefined();
  });

  test("is taken as it is from a foreign grader's reward", () => {
    expect(problem(verdict(1, { method: "reward", checks: [check({ score: 0 })] }))).toBeUndefined();
  });
});
