import { Command, Option } from "commander";
import { type TrialStatus, trialStatuses } from "../../contract/trial-status.ts";
import type { ResultRow } from "../../record/result-row.ts";
import { readIndex } from "../../record/run-index.ts";
import type { CliContext } from "../cli-context.ts";
import { defaultRunsDir, findRun } from "../find-run.ts";
import { formatDollars, formatDuration } from "../output/format-number.ts";
import { printFindings } from "../output/print-findings.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";

interface ListOptions {
  readonly status?: TrialStatus;
  readonly contestant?: string;
  readonly instance?: string;
  readonly runsDir: string;
  readonly json?: boolean;
}

/** `ale results ls` */
export function resultsListCommand(context: CliContext): Command {
  return new Command("ls")
    .description("List the attempts of a run, the newest run by default.")
    .argument("[run]", "run directory or its name")
    .addOption(new Option("--status <status>", "only attempts that ended so").choices(trialStatuses))
    .option("--contestant <name>", "only this contestant's")
    .option("--instance <id>", "only of this instance")
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale results ls --status timeout")
    .action(async (run: string | undefined, options: ListOptions) => {
      const dir = await findRun(run, options.runsDir, context.cwd);
      const { rows, problems } = await readIndex(dir);
      printFindings(problems, context.err, context.cwd);
      const chosen = rows.filter((row) => matches(row, options));
      if (options.json === true) printJson(chosen, context.out);
      else context.out.write(listing(chosen));
    });
}

function matches(row: ResultRow, options: ListOptions): boolean {
  return (
    (options.status === undefined || row.status === options.status) &&
    (options.contestant === undefined || row.contestant === options.contestant) &&
    (options.instance === undefined || row.instance === options.instance)
  );
}

function listing(rows: readonly ResultRow[]): string {
  if (rows.length === 0) return "no attempt matches\n";
  return textTable<ResultRow>(
    [
      { title: "trial", cell: (row) => row.trial },
      { title: "try", align: "right", cell: (row) => String(row.attempt) },
      { title: "status", cell: (row) => row.status },
      { title: "score", align: "right", cell: (row) => row.score?.toFixed(3) ?? "–" },
      ...(rows.some((row) => row.bypassed !== null)
        ? [{ title: "bypassed", cell: (row: ResultRow) => yesOrNo(row.bypassed) }]
        : []),
      { title: "full pass", cell: (row) => yesOrNo(row.fullPass) },
      {
        title: "cost",
        align: "right",
        cell: (row) => (row.costUsd === null ? "–" : formatDollars(row.costUsd)),
      },
      { title: "time", align: "right", cell: (row) => formatDuration(row.wallMs) },
    ],
    rows,
  );
}

function yesOrNo(value: boolean | null): string {
  return value === null ? "–" : value ? "yes" : "no";
}
