import type { BoardOutcome } from "../../board/board-rows.ts";
import type { ReportedBoardView } from "../../board/reported/reported-rows.ts";
import type { Figure } from "../../board/views/figure.ts";

export type { Board, BoardRow } from "../../board/board-rows.ts";
export type { ReportedRange } from "../../board/reported/reported-ranges.ts";
export type { ReportedBoardRow, ReportedBoardView } from "../../board/reported/reported-rows.ts";

/** A contestant's score in one domain. */
export type DomainFigure = Figure & {
  readonly contestant: string;
  readonly domain: string;
  readonly trials: number;
};

/** One lane: of runs at hand, or of a published board. Never both together. */
export type BoardView =
  | {
      readonly kind: "verified";
      readonly outcome: BoardOutcome;
      /** Ids of the runs it is made of. */
      readonly runs: readonly string[];
      readonly domains: readonly DomainFigure[];
      /** The estimand of values and intervals, in words. */
      readonly estimandIs: string;
      /** Instances a filter could not judge, because their package was not found: they are left out. */
      readonly unjudged: readonly string[];
    }
  | { readonly kind: "reported"; readonly board: ReportedBoardView };
