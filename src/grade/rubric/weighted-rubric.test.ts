import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import type { Check } from "../../contract/verdict.ts";
import { check } from "./check.ts";
import { weightedRubric } from "./weighted-rubric.ts";

const score = fc.oneof(
  fc.constantFrom(0, 1, 1 - Number.EPSILON / 2, Number.MIN_VALUE),
  fc.double({ min: 0, max: 1, noNaN: true }),
);
const weight = fc.oneof(fc.constantFrom(1, 1e-6, 1e6), fc.double({ min: 1e-6, max: 1e6, noNaN: true }));
const checks = fc
  .array(fc.record({ score, weight, gate: fc.boolean(), stage: fc.constantFrom("read", "work", "write") }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((list) => list.map((item, index) => make(`c${index}`, item)));

function make(id: string, item: { score: number; weight?: number; gate?: boolean; stage?: string }): Check {
  const { score: value, stage = "work", ...rest } = item;
  return check({ id, stage, ...rest, outcome: { score: value, message: "" } });
}

describe("a weighted rubric", () => {
  it("weighs the scores of its checks", () => {
    const verdict = weightedRubric([make("a", { score: 1, weight: 3 }), make("b", { score: 0.5 })]);
    expect(verdict.score).toBe(0.875);
    expect(verdict.fullPass).toBe(false);
  });

  it("is a full pass exactly when every check is at 1", () => {
    fc.assert(
      fc.property(checks, (list) => {
        const verdict = weightedRubric(list);
        expect(verdict.fullPass).toBe(list.every((item) => item.score === 1));
        expect(verdict.fullPass).toBe(verdict.score === 1);
      }),
    );
  });

  it("is 0 exactly when every check is at 0 or a gate failed", () => {
    fc.assert(
      fc.property(checks, (list) => {
        const gateFailed = list.some((item) => item.gate && item.score < 1);
        expect(weightedRubric(list).score === 0).toBe(gateFailed || list.every((item) => item.score === 0));
      }),
    );
  });

  it("never scores less when a check scores more", () => {
    fc.assert(
      fc.property(checks, fc.nat(), score, (list, pick, other) => {
        const index = pick % list.length;
        const raised = list.map((item, at) =>
          at === index ? { ...item, score: Math.max(item.score, other) } : item,
        );
        expect(weightedRubric(raised).score).toBeGreaterThanOrEqual(weightedRubric(list).score);
      }),
    );
  });

  it("gives 0 for one failed gate among perfect checks", () => {
    const verdict = weightedRubric([make("a", { score: 1 }), make("g", { score: 0.999, gate: true })]);
    expect(verdict.score).toBe(0);
    expect(verdict.gates).toEqual([{ id: "g", passed: false }]);
  });

  it("lists stages in order of appearance and leaves pure gates out of them", () => {
    const verdict = weightedRubric([
      make("g", { score: 1, gate: true, stage: "format" }),
      make("a", { score: 1, stage: "read", weight: 2 }),
      make("b", { score: 0, stage: "write" }),
      make("c", { score: 0, stage: "read", weight: 2 }),
    ]);
    expect(verdict.stages).toEqual([
      { name: "read", weight: 4, score: 0.5 },
      { name: "write", weight: 1, score: 0 },
    ]);
  });

  it("gives byte-equal JSON for the same checks", () => {
    fc.assert(
      fc.property(checks, (list) => {
        expect(JSON.stringify(weightedRubric(list))).toBe(
          JSON.stringify(weightedRubric(structuredClone(list))),
        );
      }),
    );
  });

  it.each([
    ["no checks", () => weightedRubric([])],
    ["two checks of one name", () => weightedRubric([make("a", { score: 1 }), make("a", { score: 1 })])],
    ["a score of NaN", () => make("a", { score: Number.NaN })],
    ["a score above 1", () => make("a", { score: 1.0000001 })],
    ["a weight below 0", () => make("a", { score: 1, weight: -1 })],
    ["a weight out of all proportion", () => make("a", { score: 1, weight: 1e7 })],
    ["a check without weight that is no gate", () => make("a", { score: 1, weight: 0 })],
    [
      "evidence that JSON cannot hold",
      () => weightedRubric([{ ...make("a", { score: 1 }), evidence: Number.NaN }]),
    ],
  ])("refuses %s", (_case, act) => {
    expect(act).toThrow(AleError);
  });
});
