import type { Outcome } from "../outcome.ts";
import { weightedMean } from "../rubric/weighted-mean.ts";
import { linearMatch } from "./linear-match.ts";
import { tooLong } from "./text-limit.ts";

/** A pattern that must, or must not, occur in a text. */
export interface TextPattern {
  /** What it stands for, in messages. */
  readonly name: string;
  /** Matched in linear time; see `linearMatch` for the expressions allowed. */
  readonly pattern: RegExp;
  /** `present` (default): must occur. `absent`: must not. */
  readonly expect?: "present" | "absent";
  /** Default 1. */
  readonly weight?: number;
}

/**
 * The weighted share of the patterns that hold. When at least one pattern must be present and none is, the score
 * is 0: an empty text earns nothing by what it leaves out.
 */
export function patternList(text: string, patterns: readonly TextPattern[]): Outcome {
  const long = tooLong(text);
  if (long !== undefined) return long;
  const results = patterns.map(({ name, pattern, expect = "present", weight = 1 }) => {
    const holds = linearMatch(pattern, text) === (expect === "present");
    return { name, expect, weight, score: holds ? 1 : 0 };
  });
  const required = results.filter((item) => item.expect === "present");
  const nothing = required.length > 0 && required.every((item) => item.score === 0);
  const failed = results.filter((item) => item.score === 0).map(({ name, expect }) => ({ name, expect }));
  const message = `${results.length - failed.length} of ${results.length} patterns hold.`;
  const score = nothing ? 0 : (weightedMean(results) ?? 1);
  return failed.length === 0 ? { score, message } : { score, message, evidence: { failed } };
}
