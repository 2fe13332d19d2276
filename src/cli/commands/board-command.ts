import { Command, Option } from "commander";
import { boardEntries } from "../../board/board-entry.ts";
import { type Board, type BoardRow, boardRows, type VerifiedLane } from "../../board/board-rows.ts";
import { AleError } from "../../contract/ale-error.ts";
import { openRun } from "../../record/open-run.ts";
import type { CliContext } from "../cli-context.ts";
import { defaultRunsDir, findRun } from "../find-run.ts";
import { formatDollars, formatPercent } from "../output/format-number.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";

interface BoardOptions {
  readonly lane: VerifiedLane;
  readonly runsDir: string;
  readonly json?: boolean;
}

/** `ale board` */
export function boardCommand(context: CliContext): Command {
  return new Command("board")
    .description(
      "Rank contestants of runs as far as chance allows: values, intervals, tie bands, rank intervals.",
    )
    .argument("[run...]", "run directories or names; the newest run by default")
    .addOption(
      new Option("--lane <lane>", "which score; lanes never mix")
        .choices(["full-pass-verified", "mean-verified"])
        .default("full-pass-verified"),
    )
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale board --lane mean-verified")
    .action(async (names: readonly string[], options: BoardOptions) => {
      const runs = [];
      for (const name of names.length === 0 ? [undefined] : names) {
        const run = await openRun(await findRun(name, options.runsDir, context.cwd));
        runs.push({ dir: run.dir, plan: run.plan, lock: run.lock, attempts: await run.attempts() });
      }
      const policy = runs[0]?.plan.scoring;
      if (policy === undefined) return;
      const outcome = boardRows(boardEntries(runs), { lane: options.lane, policy });
      if (outcome.kind === "nothing")
        throw new AleError({ code: "nothing-to-rank", message: outcome.message });
      if (outcome.kind === "board") {
        if (options.json === true) printJson(outcome.board, context.out);
        else context.out.write(boardText(outcome.board));
        return;
      }
      if (options.json === true) printJson(outcome, context.out);
      else context.out.write(`${outcome.boards.map(boardText).join("\n")}\n${outcome.message}\n`);
    });
}

function boardText(board: Board): string {
  const table = textTable<BoardRow>(
    [
      { title: "band", align: "right", cell: (row) => number(row.band) },
      { title: "rank", align: "right", cell: (row) => `${number(row.rankLow)}–${number(row.rankHigh)}` },
      { title: "contestant", cell: (row) => row.contestant },
      {
        title: "value",
        align: "right",
        cell: (row) => (row.value === null ? "–" : formatPercent(row.value)),
      },
      {
        title: "95%",
        cell: (row) =>
          row.low === null || row.high === null
            ? "none"
            : `[${(row.low * 100).toFixed(1)}, ${(row.high * 100).toFixed(1)}]`,
      },
      { title: "trials", align: "right", cell: (row) => String(row.n) },
      { title: "missing", align: "right", cell: (row) => String(row.missing) },
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

function number(value: number | null): string {
  return value === null ? "–" : String(value);
}
