import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { Command } from "commander";
import { storeReportedBoard } from "../../board/reported/board-store.ts";
import { importReported } from "../../board/reported/import-reported.ts";
import { AleError } from "../../contract/ale-error.ts";
import type { CliContext } from "../cli-context.ts";
import { friendlyPath } from "../friendly-path.ts";
import { printJson } from "../output/print-json.ts";
import { wholeNumber } from "./whole-number.ts";

/** Where imported boards are kept unless told otherwise, relative to the working directory: beside `runs`. */
export const defaultBoardsDir = "boards";

interface ImportOptions {
  readonly name?: string;
  readonly tasks?: number;
  readonly boardsDir: string;
  readonly json?: boolean;
}

/** `ale board import` */
export function boardImportCommand(context: CliContext): Command {
  return new Command("import")
    .description("Import a published board (the official export, CSV or JSON) into the reported lanes.")
    .argument("<file>", "the export")
    .option("--name <name>", "name to keep it under; the file's by default")
    .option("--tasks <n>", "tasks of the split; by default the most that any row has", wholeNumber)
    .option("--boards-dir <dir>", "where imported boards are kept", defaultBoardsDir)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExample: npx ale board import official-board.csv && npx ale board --lane reported-full-pass",
    )
    .action(async (file: string, options: ImportOptions) => {
      const board = importReported(await readText(resolve(context.cwd, file), file), {
        name: options.name ?? nameOf(file),
        file: basename(file),
        importedAt: context.clock.now(),
        ...(options.tasks === undefined ? {} : { tasks: options.tasks }),
      });
      const { path, kept } = await storeReportedBoard(resolve(context.cwd, options.boardsDir), board);
      const { name, tasks, rows } = board;
      if (options.json === true) printJson({ name, path, kept, tasks, rows: rows.length }, context.out);
      else {
        context.out.write(
          `${rows.length} rows over ${tasks} tasks, ${kept === "new" ? "kept as" : "already kept as"} ${friendlyPath(path, context.cwd)}\n`,
        );
      }
    });
}

function nameOf(file: string): string {
  return basename(file)
    .replace(/\.[^.]*$/, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "");
}

async function readText(path: string, shown: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    throw new AleError({ code: "no-such-file", message: `${shown} cannot be read`, cause: error });
  });
}
