import type { Comparison } from "../../board/compare-entries.ts";

export type { Comparison, MeasureDifference } from "../../board/compare-entries.ts";

/** Mean score of either side in one stage or domain. */
export interface PartComparison {
  readonly part: string;
  readonly first: number;
  readonly second: number;
  /** Trials, or verdicts with the stage, behind each mean. */
  readonly firstN: number;
  readonly secondN: number;
}

/** What two contestants can be chosen from, and how the chosen ones compare. */
export interface CompareView {
  readonly contestants: readonly string[];
  readonly comparison?: Comparison;
  readonly domains: readonly PartComparison[];
  readonly stages: readonly PartComparison[];
}
