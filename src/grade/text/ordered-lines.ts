import type { Outcome } from "../outcome.ts";
import { sequenceSimilarity } from "../sequence/sequence-similarity.ts";
import { type LineOptions, linesOf } from "./lines-of.ts";
import { tooLong } from "./text-limit.ts";

/**
 * Line by line, in order: 2·L / (n + m), with L the longest common subsequence of lines. 1 only when all lines are
 * the same in the same order; every missing, extra, changed or displaced line lowers it.
 */
export function orderedLines(actual: string, expected: string, options: LineOptions = {}): Outcome {
  return tooLong(actual) ?? sequenceSimilarity(linesOf(actual, options), linesOf(expected, options));
}
