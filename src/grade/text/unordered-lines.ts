import type { Outcome } from "../outcome.ts";
import { multisetAgreement } from "../sequence/multiset-agreement.ts";
import { type LineOptions, linesOf } from "./lines-of.ts";
import { tooLong } from "./text-limit.ts";

/** Lines in any order, repetition counted: the F1 of the two multisets, 2·common / (n + m). */
export function unorderedLines(actual: string, expected: string, options: LineOptions = {}): Outcome {
  return tooLong(actual) ?? multisetAgreement(linesOf(actual, options), linesOf(expected, options));
}
