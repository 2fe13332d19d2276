import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import type { Check } from "../../contract/verdict.ts";
import { check } from "./check.ts";
import { checklist } from "./checklist.ts";
import { gateAndScore } from "./gate-and-score.ts";
import { perFileMean } from "./per-file-mean.ts";

function make(id: string, score: number, options: { weight?: number; gate?: boolean } = {}): Check {
  return check({ id, stage: "work", ...options, outcome: { score, message: `${id} says` } });
}

describe("gate and score", () => {
  it("gives the mean of the scored checks when the gates hold", () => {
    expect(gateAndScore([make("g", 1)], [make("a", 0.5), make("b", 1)]).score).toBe(0.75);
  });

  it("gives 0 when a gate does not", () => {
    expect(gateAndScore([make("g", 0.5)], [make("a", 1)]).score).toBe(0);
  });

  it("makes pure gates of the first list, so that they do not dilute the score", () => {
    const verdict = gateAndScore([make("g", 1)], [make("a", 0)]);
    expect(verdict.score).toBe(0);
    expect(verdict.checks[0]).toMatchObject({ gate: true, weight: 0 });
  });

  it("refuses to work without gates, without scored checks, or with a gate among these", () => {
    expect(() => gateAndScore([], [make("a", 1)])).toThrow(AleError);
    expect(() => gateAndScore([make("g", 1)], [])).toThrow(AleError);
    expect(() => gateAndScore([make("g", 1)], [make("a", 1, { gate: true })])).toThrow(AleError);
  });
});

describe("a checklist", () => {
  it("gives the share of ticked items, an almost ticked one counting nothing", () => {
    const verdict = checklist([make("a", 1), make("b", 0.99), make("c", 1), make("d", 0)], {
      credit: "share",
    });
    expect(verdict.score).toBe(0.5);
    expect(verdict.checks[1]).toMatchObject({ score: 0, message: "b says" });
  });

  it("gives all or nothing when asked", () => {
    expect(checklist([make("a", 1), make("b", 0.99)], { credit: "all" }).score).toBe(0);
    expect(checklist([make("a", 1), make("b", 1)], { credit: "all" }).score).toBe(1);
  });
});

describe("a per-file mean", () => {
  it("weighs files alike, however many checks each has", () => {
    const verdict = perFileMean([
      { path: "a.csv", checks: [make("x", 1), make("y", 1), make("z", 1)] },
      { path: "b.csv", checks: [make("x", 0)] },
    ]);
    expect(verdict.score).toBe(0.5);
    expect(verdict.checks.map((item) => item.id)).toEqual(["a.csv: x", "a.csv: y", "a.csv: z", "b.csv: x"]);
  });

  it("lets a failed gate zero its own file only", () => {
    const verdict = perFileMean([
      { path: "a.csv", checks: [make("opens", 0, { gate: true }), make("x", 1)] },
      { path: "b.csv", checks: [make("opens", 1, { gate: true }), make("x", 1)] },
    ]);
    expect(verdict.score).toBe(0.5);
    expect(verdict.gates).toEqual([]);
    expect(verdict.checks[1]).toMatchObject({ score: 0, message: "Not counted, for opens failed. x says" });
  });

  it("is a full pass exactly when every check of every file is at 1", () => {
    const item = fc.record({ score: fc.constantFrom(0, 0.5, 1), gate: fc.boolean() });
    const files = fc.array(fc.array(item, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(files, (list) => {
        const verdict = perFileMean(
          list.map((checks, at) => ({
            path: `${at}.txt`,
            checks: checks.map(({ score, gate }, index) => make(`c${index}`, score, { gate })),
          })),
        );
        expect(verdict.fullPass).toBe(list.every((checks) => checks.every(({ score }) => score === 1)));
      }),
    );
  });

  it("refuses an empty list of files and a file without checks", () => {
    expect(() => perFileMean([])).toThrow(AleError);
    expect(() => perFileMean([{ path: "a", checks: [] }])).toThrow(AleError);
  });
});
