import { AleError } from "../../contract/ale-error.ts";
import type { Outcome } from "../outcome.ts";
import { closeTo } from "./close-to.ts";
import { expectedNumber } from "./expected-number.ts";
import { linearScore } from "./linear-score.ts";
import { numberText, numberTexts } from "./number-text.ts";
import { withinTolerance } from "./tolerance.ts";

export interface ClosenessOptions {
  /** Error up to and at which the score is 1. */
  readonly tolerance: number;
  /** Error from which on the score is 0; above `tolerance`. */
  readonly limit: number;
  /** `absolute`: |actual − expected|. `relative`: the same over |expected|, which must not be 0. */
  readonly scale: "absolute" | "relative";
}

/** 1 within the tolerance, 0 at the limit and beyond, linear between; what is no finite number scores 0. */
export function gradedCloseness(actual: unknown, expected: number, options: ClosenessOptions): Outcome {
  const { tolerance, limit, scale } = options;
  const unit = scale === "absolute" ? 1 : Math.abs(expectedNumber(expected));
  if (!(tolerance >= 0 && limit > tolerance && Number.isFinite(limit)) || unit === 0) {
    throw new AleError({
      code: "tolerance",
      message: `Cannot grade closeness to ${expected} with ${JSON.stringify(options)}.`,
      remedy: "Give 0 ≤ tolerance < limit, and the absolute scale around 0.",
    });
  }
  const full = closeTo(actual, expected, { absolute: tolerance * unit });
  if (full.score === 1 || typeof actual !== "number" || !Number.isFinite(actual)) return full;
  const error = Math.abs(actual - expected) / unit;
  const [found, target] = numberTexts(
    [actual, expected],
    ([shown = actual, aim = expected]) => !withinTolerance(shown, aim, { absolute: tolerance * unit }),
  );
  const isNone = (value: number): boolean => value >= limit;
  const errorText = numberText(error, (shown) => shown > tolerance && isNone(shown) === isNone(error));
  return {
    score: linearScore(error, limit, tolerance),
    message: `Expected ${target}, found ${found}: ${scale} error ${errorText}.`,
    evidence: { expected, actual, ...(Number.isFinite(error) ? { error } : {}) },
  };
}
