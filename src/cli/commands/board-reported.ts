import { resolve } from "node:path";
import { readReportedBoard } from "../../board/reported/board-store.ts";
import type { ReportedLane } from "../../board/reported/reported-lane.ts";
import type { ReportedRange } from "../../board/reported/reported-ranges.ts";
import {
  type ReportedBoardRow,
  type ReportedBoardView,
  reportedRows,
} from "../../board/reported/reported-rows.ts";
import type { CliContext } from "../cli-context.ts";
import { points } from "../output/figure-text.ts";
import { formatDollars } from "../output/format-number.ts";
import { intervalLine } from "../output/interval-line.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";

/** Shows an imported board in a reported lane. */
export async function showReported(
  context: CliContext,
  options: {
    readonly lane: ReportedLane;
    readonly board?: string;
    readonly boardsDir: string;
    readonly json?: boolean;
  },
): Promise<void> {
  const board = await readReportedBoard(resolve(context.cwd, options.boardsDir), options.board);
  const view = reportedRows(board, options.lane);
  if (options.json === true) printJson(view, context.out);
  else context.out.write(reportedText(view));
}

function reportedText(view: ReportedBoardView): string {
  const highest = Math.max(0, ...view.rows.map((row) => row.high ?? row.value));
  const table = textTable<ReportedBoardRow>(
    [
      { title: "band", align: "right", cell: (row) => String(row.band) },
      { title: "rank", align: "right", cell: (row) => `${row.rankLow}–${row.rankHigh}` },
      { title: "contestant", cell: (row) => row.contestant },
      { title: "value", align: "right", cell: (row) => points(row.value) },
      { title: "95%", cell: (row) => `[${points(row.low ?? 0)}, ${points(row.high ?? 1)}]` },
      {
        title: `0 to ${points(highest)}`,
        cell: (row) => intervalLine(row.value, row.low, row.high, { from: 0, to: highest, width: 31 }),
      },
      { title: "missing", align: "right", cell: (row) => String(row.missing) },
      {
        title: "cost",
        align: "right",
        cell: (row) => (row.costUsd === null ? "unknown" : formatDollars(row.costUsd)),
      },
      { title: "cost from", cell: (row) => row.costSource },
    ],
    view.rows,
  );
  const { model, harness, effort } = view.ranges;
  return [
    `${view.lane} of ${view.name}: ${view.rows.length} rows over ${view.tasks} tasks, as published\n`,
    table,
    rangeText("models on one harness", model),
    rangeText("harnesses on one model", harness),
    rangeText("efforts on one harness and model", effort),
    `taken for granted\n${bullets(view.assumptions)}`,
    `cannot be known from this board\n${bullets(view.unknowable)}`,
  ].join("\n");
}

function rangeText(title: string, ranges: readonly ReportedRange[]): string {
  const table = textTable<ReportedRange>(
    [
      { title, cell: (range) => range.of },
      { title: "of", align: "right", cell: (range) => String(range.levels) },
      { title: "range", align: "right", cell: (range) => range.points.toFixed(1) },
      { title: "from", cell: ({ lowest }) => `${points(lowest.value)} ${lowest.name}` },
      { title: "to", cell: ({ highest }) => `${points(highest.value)} ${highest.name}` },
      {
        title: "",
        cell: (range) =>
          title.startsWith("efforts") || range.sameEffort ? "" : "efforts differ: two causes mixed",
      },
    ],
    ranges,
  );
  return ranges.length === 0 ? `${title}: no two rows share one\n` : table;
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}\n`).join("");
}
