import type { Outcome } from "../outcome.ts";
import { quote } from "../quote.ts";
import { multisetOverlap } from "./multiset-overlap.ts";

/** Precision, recall and their harmonic mean. */
export interface Agreement {
  /** Share of the actual items that are right; 1 when there are none. */
  readonly precision: number;
  /** Share of the expected items that were found; 1 when none were expected. */
  readonly recall: number;
  /** 2·common / (actual + expected); 1 when both are empty, 0 when one is. */
  readonly f1: number;
  readonly common: number;
}

export interface AgreementOptions {
  /** Which number is the score; default `f1`, the only one that neither omission nor guessing can satisfy. */
  readonly score?: "f1" | "precision" | "recall";
}

/** The numbers from counts. */
export function agreementOf(common: number, actual: number, expected: number): Agreement {
  return {
    precision: actual === 0 ? 1 : common / actual,
    recall: expected === 0 ? 1 : common / expected,
    f1: actual + expected === 0 ? 1 : (2 * common) / (actual + expected),
    common,
  };
}

/** The outcome of two lists of keys, repetition counted. */
export function gradeAgreement(
  actual: readonly string[],
  expected: readonly string[],
  options: AgreementOptions,
): Outcome {
  const { common, missing, extra } = multisetOverlap(actual, expected);
  const agreement = agreementOf(common, actual.length, expected.length);
  const nothing = actual.length === 0 && expected.length > 0;
  return {
    score: nothing ? 0 : agreement[options.score ?? "f1"],
    message: `${common} of ${expected.length} expected items found, ${extra.length} others beside them.`,
    evidence: { ...agreement, missing: sample(missing), extra: sample(extra) },
  };
}

function sample(items: readonly string[]): string[] {
  return items.slice(0, 20).map((item) => quote(item, 200));
}
