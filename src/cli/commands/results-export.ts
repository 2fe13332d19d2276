import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Command, Option } from "commander";
import { AleError } from "../../contract/ale-error.ts";
import { exportParquet } from "../../record/export-parquet.ts";
import { exportCsv, exportJsonLines } from "../../record/export-results.ts";
import type { ResultRow } from "../../record/result-row.ts";
import { readIndex } from "../../record/run-index.ts";
import type { CliContext } from "../cli-context.ts";
import { defaultRunsDir, findRun } from "../find-run.ts";
import { printFindings } from "../output/print-findings.ts";

interface ExportOptions {
  readonly format: "jsonl" | "csv" | "parquet";
  readonly output?: string;
  readonly runsDir: string;
}

/** `ale results export` */
export function resultsExportCommand(context: CliContext): Command {
  return new Command("export")
    .description("Write every finished attempt of runs, one a row.")
    .argument("[run...]", "run directories or names; the newest run by default")
    .addOption(new Option("--format <format>", "how").choices(["jsonl", "csv", "parquet"]).default("jsonl"))
    .option("--output <file>", "write here instead of standard output; needed for parquet")
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .addHelpText("after", "\nExample: npx ale results export --format parquet --output results.parquet")
    .action(async (runs: readonly string[], options: ExportOptions) => {
      if (options.format === "parquet" && options.output === undefined) {
        throw new AleError({
          code: "usage",
          message: "Parquet is not text: it needs a file",
          remedy: "add --output results.parquet",
        });
      }
      const rows: ResultRow[] = [];
      for (const run of runs.length === 0 ? [undefined] : runs) {
        const index = await readIndex(await findRun(run, options.runsDir, context.cwd));
        printFindings(index.problems, context.err, context.cwd);
        rows.push(...index.rows);
      }
      const said =
        options.output === undefined ? "" : `${rows.length} attempts written to ${options.output}\n`;
      if (options.format === "parquet") await write(await exportParquet(rows), options, context);
      else
        await writeLines(
          options.format === "csv" ? exportCsv(rows) : exportJsonLines(rows),
          options,
          context,
        );
      context.out.write(said);
    });
}

async function writeLines(
  lines: AsyncIterable<string>,
  options: ExportOptions,
  context: CliContext,
): Promise<void> {
  if (options.output === undefined) {
    for await (const line of lines) context.out.write(line);
  } else await write((await Array.fromAsync(lines)).join(""), options, context);
}

async function write(
  content: string | Uint8Array,
  { output = "" }: ExportOptions,
  context: CliContext,
): Promise<void> {
  await writeFile(resolve(context.cwd, output), content).catch((error: unknown) => {
    throw new AleError({
      code: "not-written",
      message: `${output} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      remedy: "name a file in a folder that is there and may be written to with --output",
      cause: error,
    });
  });
}
