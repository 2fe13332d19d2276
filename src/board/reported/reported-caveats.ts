import type { ReportedBoard } from "../../contract/reported-board.ts";
import type { ReportedLane } from "./reported-lane.ts";

/** What the figures of a published board take for granted, and what they cannot tell, in words. */
export function reportedCaveats(
  board: ReportedBoard,
  lane: ReportedLane,
): { readonly assumptions: readonly string[]; readonly unknowable: readonly string[] } {
  const { rows, tasks } = board;
  const incomplete = rows.filter((row) => row.tasks < tasks).length;
  const repeated = rows.filter((row) => row.runs > row.tasks).length;
  const unpriced = rows.filter((row) => !row.costUsd.known).length;
  const sources = [...new Set(rows.map((row) => row.costSource).filter((source) => source !== ""))].sort();
  const unnamed = rows.filter((row) => row.variant === "").length;
  return {
    assumptions: [
      `every row is a mean over the same ${tasks} tasks, each counted once (Wilson); ${repeated} rows had repeats, for which the interval is a little too wide`,
      "rows are compared as independent proportions: which tasks two rows passed is not published. Rows that pass the same tasks are easier to tell apart than these bands show",
      "tasks are taken as independent: several instances of one workflow would make every interval wider",
      ...(lane === "reported-mean"
        ? [
            "scores in [0, 1] vary at most as much as passes of the same mean: intervals are the widest possible",
          ]
        : []),
    ],
    unknowable: [
      "when a row was run: there are no dates, so that no trend can be drawn",
      "versions of tasks, graders, harnesses and network policy: whether two rows were graded alike is not known",
      `${incomplete} of ${rows.length} rows lack runs for some tasks; these count as failures, whoever's fault they were`,
      `costs mix sources (${sources.join(", ")}) and are unknown for ${unpriced} rows: they are shown, not compared`,
      `${unnamed} rows name no effort: what their default was is not known`,
      "results by task: no paired comparison, no gained and lost tasks, no interval by workflow",
    ],
  };
}
