import type { BoardOutcome } from "../../board/board-rows.ts";
import type { ReportedBoardView } from "../../board/reported/reported-rows.ts";
import type { DomainScore } from "../../board/views/domain-scores.ts";
import type { EffortCurve } from "../../board/views/effort-curves.ts";
import type { HarnessModelMap } from "../../board/views/harness-model.ts";
import type { Trend } from "../../board/views/trend.ts";

export type { Board, BoardRow } from "../../board/board-rows.ts";
export type { ChannelBypass } from "../../board/channel-bypass.ts";
export type { ReportedRange } from "../../board/reported/reported-ranges.ts";
export type { ReportedBoardRow, ReportedBoardView } from "../../board/reported/reported-rows.ts";
export type { DomainScore } from "../../board/views/domain-scores.ts";
export type { EffortCurve } from "../../board/views/effort-curves.ts";
export type { HarnessModelMap } from "../../board/views/harness-model.ts";
export type { Trend } from "../../board/views/trend.ts";

/** Contestants over the runs at hand; a point's `run` is its id. */
export interface TrendView {
  readonly trends: readonly Trend[];
}

/** One lane: of runs at hand, or of a published board. Never both together. */
export type BoardView =
  | {
      readonly kind: "verified";
      readonly outcome: BoardOutcome;
      /** Ids of the runs it is made of. */
      readonly runs: readonly string[];
      readonly domains: readonly DomainScore[];
      /** Where a harness and model ran with several efforts. */
      readonly efforts: readonly EffortCurve[];
      /** Where there is more than one harness or model. */
      readonly harnessModels: readonly HarnessModelMap[];
      /** The estimand of values and intervals, in words. */
      readonly estimandIs: string;
      /** Instances a filter could not judge, because their package was not found: they are left out. */
      readonly unjudged: readonly string[];
    }
  | { readonly kind: "reported"; readonly board: ReportedBoardView };
