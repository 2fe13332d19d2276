import type { Check, Verdict } from "../../contract/verdict.ts";
import { buildVerdict } from "./build-verdict.ts";
import { weightedMean } from "./weighted-mean.ts";

/**
 * Score = Σ weight·score / Σ weight; any failed gate makes it 0. Exactly 1 only when every check is 1, exactly 0
 * only when every weighted check is 0 or a gate failed. Gates alone score 1 or 0.
 */
export function weightedRubric(checks: readonly Check[]): Verdict {
  return buildVerdict("weighted-rubric", checks, weightedMean(checks) ?? 1);
}
