import { Command, Option } from "commander";
import { type Board, type BoardRow, boardRows, type VerifiedLane } from "../../board/board-rows.ts";
import { describeBypass } from "../../board/channel-bypass.ts";
import type { ReportedLane } from "../../board/reported/reported-lane.ts";
import { AleError } from "../../contract/ale-error.ts";
import { type BoardInputOptions, readBoardInput, withBoardInput } from "../board-input.ts";
import type { CliContext } from "../cli-context.ts";
import { points } from "../output/figure-text.ts";
import { formatDollars } from "../output/format-number.ts";
import { intervalLine } from "../output/interval-line.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";
import { bestView } from "./board-best.ts";
import { boardCorrelateCommand } from "./board-correlate.ts";
import { difficultyView } from "./board-difficulty.ts";
import { domainsView } from "./board-domains.ts";
import { effortView } from "./board-effort.ts";
import { boardExportCommand } from "./board-export.ts";
import { harnessModelView } from "./board-harness-model.ts";
import { boardImportCommand, defaultBoardsDir } from "./board-import.ts";
import { repeatsView } from "./board-repeats.ts";
import { showReported } from "./board-reported.ts";
import { resourcesView } from "./board-resources.ts";
import { trendView } from "./board-trend.ts";
import { varianceView } from "./board-variance.ts";
import { boardViewCommand } from "./board-views.ts";
import { wholeNumber } from "./whole-number.ts";

interface BoardOptions extends BoardInputOptions {
  readonly lane: VerifiedLane | ReportedLane;
  readonly board?: string;
  readonly boardsDir: string;
  readonly bootstrap?: number;
  readonly json?: boolean;
}

/** `ale board` and what lies below it. */
export function boardCommand(context: CliContext): Command {
  return (
    withBoardInput(
      new Command("board").description(
        "Rank contestants as far as chance allows: values, intervals, tie bands, rank intervals.",
      ),
    )
      // Options behind a subcommand's name are the subcommand's.
      .enablePositionalOptions()
      .addOption(
        new Option("--lane <lane>", "which score; lanes never mix")
          .choices(["full-pass-verified", "mean-verified", "reported-full-pass", "reported-mean"])
          .default("full-pass-verified"),
      )
      .option("--board <name>", "imported board of a reported lane; the one imported last by default")
      .option("--boards-dir <dir>", "where imported boards are kept", defaultBoardsDir)
      .option(
        "--bootstrap <resamples>",
        "bootstrap intervals (BCa) as well, with the exam's seed",
        wholeNumber,
      )
      .option("--json", "print JSON")
      .addHelpText("after", "\nExample: npx ale board --lane mean-verified --tier last-exam")
      .action(async (names: readonly string[], options: BoardOptions) => {
        if (options.lane === "reported-full-pass" || options.lane === "reported-mean") {
          refuseMixture(names, options);
          await showReported(context, { ...options, lane: options.lane });
        } else await showVerified(context, names, { ...options, lane: options.lane });
      })
      .addCommand(boardImportCommand(context))
      .addCommand(boardCorrelateCommand(context))
      .addCommand(boardExportCommand(context))
      .addCommand(boardViewCommand(context, resourcesView))
      .addCommand(boardViewCommand(context, bestView))
      .addCommand(boardViewCommand(context, domainsView))
      .addCommand(boardViewCommand(context, repeatsView))
      .addCommand(boardViewCommand(context, effortView))
      .addCommand(boardViewCommand(context, harnessModelView))
      .addCommand(boardViewCommand(context, trendView))
      .addCommand(boardViewCommand(context, varianceView))
      .addCommand(boardViewCommand(context, difficultyView))
  );
}

/** Reported rows have no trials: neither runs nor a choice of tasks can be brought to them. */
function refuseMixture(names: readonly string[], options: BoardOptions): void {
  const { domain, tier, subfield, os, channel, software } = options;
  const filtered = [domain, tier, subfield, os, channel, software].some((value) => value !== undefined);
  if (names.length === 0 && !filtered) return;
  throw new AleError({
    code: "mixed-lanes",
    message:
      names.length > 0
        ? `${names.join(", ")}: runs are verified and never stand in a ${options.lane} lane`
        : "a published board has no results by task: it cannot be filtered",
    remedy: "leave the runs and filters out, or choose --lane full-pass-verified or mean-verified",
  });
}

async function showVerified(
  context: CliContext,
  names: readonly string[],
  options: BoardOptions & { readonly lane: VerifiedLane },
): Promise<void> {
  const { runs, entries, policy } = await readBoardInput(names, options, context);
  const bootstrap =
    options.bootstrap === undefined
      ? {}
      : { bootstrap: { resamples: options.bootstrap, seed: runs[0]?.plan.file.seed ?? 0 } };
  const outcome = boardRows(entries, { lane: options.lane, policy, ...bootstrap });
  if (outcome.kind === "nothing") {
    throw new AleError({ code: "nothing-to-rank", message: outcome.message });
  }
  if (options.json === true) {
    printJson(outcome.kind === "board" ? outcome.board : outcome, context.out);
    return;
  }
  if (outcome.kind === "board") context.out.write(boardText(outcome.board));
  else context.out.write(`${outcome.boards.map(boardText).join("\n")}\n${outcome.message}\n`);
}

function boardText(board: Board): string {
  const table = textTable<BoardRow>(
    [
      { title: "band", align: "right", cell: (row) => number(row.band) },
      { title: "rank", align: "right", cell: (row) => `${number(row.rankLow)}–${number(row.rankHigh)}` },
      { title: "contestant", cell: (row) => row.contestant },
      { title: "value", align: "right", cell: (row) => (row.value === null ? "–" : points(row.value)) },
      {
        title: "95%",
        cell: (row) =>
          row.low === null || row.high === null ? "none" : `[${points(row.low)}, ${points(row.high)}]`,
      },
      ...(board.rows.some((row) => row.bootstrapLow !== undefined)
        ? [{ title: "bootstrap", cell: bootstrapText }]
        : []),
      {
        title: "0 to 100",
        cell: (row) => intervalLine(row.value, row.low, row.high, { from: 0, to: 1, width: 31 }),
      },
      { title: "trials", align: "right", cell: (row) => String(row.n) },
      { title: "missing", align: "right", cell: (row) => String(row.missing) },
      ...(board.rows.some((row) => row.bypass.asked > 0)
        ? [{ title: "bypassed", cell: (row: BoardRow) => describeBypass(row.bypass) }]
        : []),
      {
        title: "cost",
        align: "right",
        cell: (row) => (row.costUsd === null ? "unknown" : formatDollars(row.costUsd)),
      },
    ],
    board.rows,
  );
  return `${board.lane}, scoring policy ${board.policy}, comparability key ${board.key.slice(0, 19)}\n\n${table}`;
}

function bootstrapText({ bootstrapLow, bootstrapHigh }: BoardRow): string {
  if (typeof bootstrapLow !== "number" || typeof bootstrapHigh !== "number") return "none";
  return `[${points(bootstrapLow)}, ${points(bootstrapHigh)}]`;
}

function number(value: number | null): string {
  return value === null ? "–" : String(value);
}
