import { AleError } from "../../contract/ale-error.ts";
import type { Outcome } from "../outcome.ts";
import { expectedNumber } from "./expected-number.ts";
import { linearScore } from "./linear-score.ts";
import { numberText } from "./number-text.ts";

export interface GapOptions {
  /** Whether less (a cost) or more (a yield) is better. */
  readonly better: "lower" | "higher";
  /** Relative gap up to and at which the score is 1; 0 asks for the best known. */
  readonly fullGap: number;
  /** Relative gap from which on the score is 0; above `fullGap`. */
  readonly zeroGap: number;
}

/**
 * Score of an optimised objective by its gap to the best known value: gap = (actual − best) / |best| for a cost,
 * the other way round for a yield. Linear between the two gaps. Beating the best known scores 1 and is noted in
 * the evidence; check feasibility in a gate of its own.
 */
export function gapToBest(actual: unknown, best: number, options: GapOptions): Outcome {
  const { better, fullGap, zeroGap } = options;
  if (!(fullGap >= 0 && zeroGap > fullGap && Number.isFinite(zeroGap)) || expectedNumber(best) === 0) {
    throw new AleError({
      code: "tolerance",
      message: `Cannot grade the gap to ${best} with ${JSON.stringify(options)}.`,
      remedy: "Give 0 ≤ fullGap < zeroGap and a best value other than 0.",
    });
  }
  if (typeof actual !== "number" || !Number.isFinite(actual)) {
    return {
      score: 0,
      message: `The objective is not a finite number; the best known is ${numberText(best)}.`,
    };
  }
  const gap = (better === "lower" ? actual - best : best - actual) / Math.abs(best);
  // The same decimal slack as `withinTolerance`.
  const isFull = (value: number): boolean => value <= fullGap + 4 * Number.EPSILON;
  const isNone = (value: number): boolean => value >= zeroGap;
  const full = isFull(gap);
  const gapText = numberText(gap, (shown) => isFull(shown) === full && isNone(shown) === isNone(gap));
  return {
    score: full ? 1 : linearScore(gap, zeroGap, fullGap),
    message: `Objective ${numberText(actual)}, best known ${numberText(best)}: gap ${gapText}.`,
    evidence: { actual, best, beatsBest: gap < 0, ...(Number.isFinite(gap) ? { gap } : {}) },
  };
}
