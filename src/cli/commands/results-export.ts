import { Command, Option } from "commander";
import { exportCsv, exportJsonLines } from "../../record/export-results.ts";
import { readIndex } from "../../record/run-index.ts";
import type { CliContext } from "../cli-context.ts";
import { defaultRunsDir, findRun } from "../find-run.ts";

interface ExportOptions {
  readonly format: "jsonl" | "csv";
  readonly runsDir: string;
}

/** `ale results export` */
export function resultsExportCommand(context: CliContext): Command {
  return new Command("export")
    .description("Write every finished attempt of runs to standard output, one a line.")
    .argument("[run...]", "run directories or names; the newest run by default")
    .addOption(new Option("--format <format>", "how").choices(["jsonl", "csv"]).default("jsonl"))
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .addHelpText("after", "\nExample: npx ale results export --format csv > results.csv")
    .action(async (runs: readonly string[], options: ExportOptions) => {
      const rows = [];
      for (const run of runs.length === 0 ? [undefined] : runs) {
        rows.push(...(await readIndex(await findRun(run, options.runsDir, context.cwd))).rows);
      }
      const lines = options.format === "csv" ? exportCsv(rows) : exportJsonLines(rows);
      for await (const line of lines) context.out.write(line);
    });
}
