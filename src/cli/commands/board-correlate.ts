import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { Command, Option } from "commander";
import { boardRows, type VerifiedLane } from "../../board/board-rows.ts";
import {
  correlateExternal,
  type ExternalCorrelation,
  type OwnScore,
} from "../../board/external/correlate-external.ts";
import { externalScores } from "../../board/external/external-scores.ts";
import { readReportedBoard } from "../../board/reported/board-store.ts";
import type { ReportedLane } from "../../board/reported/reported-lane.ts";
import { reportedRows } from "../../board/reported/reported-rows.ts";
import { AleError } from "../../contract/ale-error.ts";
import { readBoardInput } from "../board-input.ts";
import type { CliContext } from "../cli-context.ts";
import { defaultRunsDir } from "../find-run.ts";
import { figureText } from "../output/figure-text.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";
import { defaultBoardsDir } from "./board-import.ts";

interface CorrelateOptions {
  readonly lane: VerifiedLane | ReportedLane;
  readonly board?: string;
  readonly boardsDir: string;
  readonly runsDir: string;
  readonly json?: boolean;
}

/** `ale board correlate` */
export function boardCorrelateCommand(context: CliContext): Command {
  return new Command("correlate")
    .description(
      "Correlate other benchmarks' published scores (CSV: model, benchmark, score) with a lane of ours.",
    )
    .argument("<file>", "the scores")
    .argument("[run...]", "runs of a verified lane; the newest run by default")
    .addOption(
      new Option("--lane <lane>", "which score of ours")
        .choices(["full-pass-verified", "mean-verified", "reported-full-pass", "reported-mean"])
        .default("full-pass-verified"),
    )
    .option("--board <name>", "imported board of a reported lane; the one imported last by default")
    .option("--boards-dir <dir>", "where imported boards are kept", defaultBoardsDir)
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale board correlate others.csv --lane reported-full-pass")
    .action(async (file: string, names: readonly string[], options: CorrelateOptions) => {
      const text = await readFile(resolve(context.cwd, file), "utf8").catch((error: unknown) => {
        throw new AleError({ code: "no-such-file", message: `${file} cannot be read`, cause: error });
      });
      const theirs = externalScores(text, basename(file));
      const benchmarks = correlateExternal(await ownScores(context, names, options), theirs);
      if (options.json === true) printJson({ lane: options.lane, benchmarks }, context.out);
      else context.out.write(correlationText(options.lane, benchmarks));
    });
}

async function ownScores(
  context: CliContext,
  names: readonly string[],
  options: CorrelateOptions,
): Promise<readonly OwnScore[]> {
  const { lane } = options;
  if (lane === "reported-full-pass" || lane === "reported-mean") {
    const board = await readReportedBoard(resolve(context.cwd, options.boardsDir), options.board);
    return reportedRows(board, lane).rows;
  }
  const { entries, policy } = await readBoardInput(names, { runsDir: options.runsDir }, context);
  const outcome = boardRows(entries, { lane, policy });
  if (outcome.kind !== "board") {
    throw new AleError({
      code: "unequal-keys",
      message: outcome.message,
      remedy: "name runs that can be ranked together",
    });
  }
  const models = new Map(entries.map((entry) => [entry.contestant, entry.definition?.model]));
  return outcome.board.rows.flatMap(({ contestant, value }) =>
    value === null ? [] : [{ contestant, model: models.get(contestant), value }],
  );
}

function correlationText(lane: string, benchmarks: readonly ExternalCorrelation[]): string {
  const format = (value: number): string => value.toFixed(2);
  const table = textTable<ExternalCorrelation>(
    [
      { title: "benchmark", cell: (row) => row.benchmark },
      { title: "models", align: "right", cell: (row) => String(row.pairs.length) },
      { title: "Pearson", cell: (row) => figureText(row.pearson, format) },
      { title: "Spearman", cell: (row) => figureText(row.spearman, format) },
      {
        title: "",
        cell: (row) => row.pearson.valueReason ?? row.pearson.lowReason ?? row.spearman.lowReason ?? "",
      },
    ],
    benchmarks,
  );
  const unmatched = benchmarks
    .filter((row) => row.unmatched.length > 0)
    .map((row) => `not on our board, of ${row.benchmark}: ${row.unmatched.join(", ")}\n`);
  return `${lane} against other benchmarks\n\n${table}${unmatched.join("")}`;
}
