import { known, type Maybe, unknown } from "../../contract/absence.ts";
import type { ReportedBoard, ReportedRow } from "../../contract/reported-board.ts";
import { wilsonIntervalOfRate } from "../../stats/proportion-interval.ts";
import { type BandComparison, tieBands } from "../../stats/tie-bands.ts";
import { twoProportionTest } from "../../stats/two-proportions.ts";
import { type Nullable, nullable } from "../nullable.ts";
import { reportedCaveats } from "./reported-caveats.ts";
import type { ReportedLane } from "./reported-lane.ts";
import { type ReportedRanges, reportedRanges } from "./reported-ranges.ts";

/** A published row, ranked as far as chance allows. Values are in [0, 1]. */
export type ReportedBoardRow = Nullable<
  "low" | "high" | "costUsd" | "costPerPassUsd" | "inputTokens" | "outputTokens" | "seconds"
> & {
  /** `harness:model[:variant]`, as published. */
  readonly contestant: string;
  readonly harness: string;
  readonly model: string;
  readonly variant: string;
  /** Tasks of the split: the denominator. */
  readonly n: number;
  readonly runs: number;
  readonly passes: number;
  /** Tasks without a run, in the denominator as failures. */
  readonly missing: number;
  readonly value: number;
  readonly band: number;
  readonly rankLow: number;
  readonly rankHigh: number;
  readonly costSource: string;
  readonly method: string;
};

/** A published board in one lane, best first. Never ranked together with what was run here. */
export interface ReportedBoardView {
  readonly lane: ReportedLane;
  /** As on the published board: a missing run counts 0. */
  readonly policy: "ale-missing-zero";
  /** The file's digest: rows of two files are never ranked together. */
  readonly key: string;
  readonly name: string;
  readonly tasks: number;
  readonly level: number;
  readonly rows: readonly ReportedBoardRow[];
  readonly ranges: ReportedRanges;
  /** What intervals and bands take for granted. */
  readonly assumptions: readonly string[];
  /** What cannot be known from the published figures. */
  readonly unknowable: readonly string[];
}

/**
 * Intervals, tie bands and rank intervals for a published board. Each row is one proportion of the split's tasks (Wilson);
 * rows are compared as independent proportions, Holm-corrected over all pairs, for which tasks two rows share is unknown.
 */
export function reportedRows(board: ReportedBoard, lane: ReportedLane, level = 0.95): ReportedBoardView {
  const { tasks } = board;
  const valueIn = (row: ReportedRow): number => (lane === "reported-mean" ? row.meanScore : row.passRate);
  const ordered = board.rows.toSorted(
    (one, other) =>
      valueIn(other) - valueIn(one) || (reportedContestant(one) < reportedContestant(other) ? -1 : 1),
  );
  const comparisons = ordered.flatMap((one, first) =>
    ordered.slice(first + 1).map((other, offset): BandComparison => {
      const sides = [one, other].map((row) => ({ rate: valueIn(row), trials: tasks })) as [Side, Side];
      const difference = known(valueIn(one) - valueIn(other));
      return { first, second: first + 1 + offset, difference, p: twoProportionTest(...sides) };
    }),
  );
  const places = tieBands(ordered.map(valueIn), comparisons, 1 - level);
  return {
    lane,
    policy: "ale-missing-zero",
    key: board.source.digest,
    name: board.name,
    tasks,
    level,
    rows: ordered.map((row, index): ReportedBoardRow => {
      const { band, rankLow, rankHigh } = places[index] ?? { band: 1, rankLow: 1, rankHigh: ordered.length };
      const interval = wilsonIntervalOfRate(valueIn(row), tasks, level);
      const limit = (end: "low" | "high"): Maybe<number> =>
        interval.known ? known(interval.value[end]) : interval;
      const { harness, model, variant, runs, passes, costSource } = row;
      return {
        contestant: reportedContestant(row),
        n: tasks,
        value: valueIn(row),
        ...nullable("low", limit("low")),
        ...nullable("high", limit("high")),
        band,
        rankLow,
        rankHigh,
        ...nullable("costUsd", row.costUsd),
        costSource,
        ...nullable("costPerPassUsd", costPerPass(row)),
        ...nullable("inputTokens", row.inputTokens),
        ...nullable("outputTokens", row.outputTokens),
        ...nullable("seconds", row.seconds),
        harness,
        model,
        variant,
        runs,
        passes,
        missing: tasks - row.tasks,
        method: lane === "reported-mean" ? "Wilson, the widest for a mean of scores" : "Wilson",
      };
    }),
    ranges: reportedRanges(board.rows, valueIn),
    ...reportedCaveats(board, lane),
  };
}

interface Side {
  readonly rate: number;
  readonly trials: number;
}

/** `harness:model[:variant]`. */
function reportedContestant(row: Pick<ReportedRow, "harness" | "model" | "variant">): string {
  return [row.harness, row.model, ...(row.variant === "" ? [] : [row.variant])].join(":");
}

/** Published cost over passes; only for rows of one run a task, for what the cost of repeats covers is not published. */
function costPerPass(row: ReportedRow): Maybe<number> {
  if (!row.costUsd.known) return row.costUsd;
  if (row.runs !== row.tasks) return unknown("whether the cost is of all repeats or of one is not published");
  if (row.passes === 0) return unknown("nothing was passed in full");
  return known(row.costUsd.value / row.passes);
}
