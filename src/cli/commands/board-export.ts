import { resolve } from "node:path";
import { Command } from "commander";
import { AleError } from "../../contract/ale-error.ts";
import { createApp } from "../../server/create-app.ts";
import { exportFolder } from "../../server/export/export-folder.ts";
import { exportSingle } from "../../server/export/export-single.ts";
import type { CliContext } from "../cli-context.ts";
import { defaultRunsDir, findRun } from "../find-run.ts";
import { friendlyPath } from "../friendly-path.ts";
import { printJson } from "../output/print-json.ts";
import { viewerSources } from "../viewer-sources.ts";
import { findWebClient } from "../web-client.ts";
import { defaultBoardsDir } from "./board-import.ts";
import { collectOption } from "./collect-option.ts";

interface ExportOptions {
  readonly single?: string;
  readonly run?: readonly string[];
  readonly runsDir: string;
  readonly boardsDir: string;
  readonly tasksRoot?: readonly string[];
  readonly json?: boolean;
}

/** `ale board export` */
export function boardExportCommand(context: CliContext): Command {
  return new Command("export")
    .description(
      "Write board, runs and tasks as static pages that open from disk. Private tasks and evidence are left out.",
    )
    .argument("[dir]", "a new folder, whose index.html is to be opened")
    .option("--single <file>", "one HTML file to mail instead: long timelines are cut, large files left out")
    .option(
      "--run <run>",
      "run directory or its name; several may be given; the newest by default",
      collectOption,
    )
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--boards-dir <dir>", "where imported boards are kept", defaultBoardsDir)
    .option("--tasks-root <dir>", "look for packages here; may be given several times", collectOption)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale board export site")
    .action(async (dir: string | undefined, options: ExportOptions) => {
      if ((dir === undefined) === (options.single === undefined)) {
        throw new AleError({
          code: "usage",
          message: "board export takes a folder, or --single with a file",
          remedy: "npx ale board export site, or npx ale board export --single report.html",
        });
      }
      const runs = options.run ?? [await findRun(undefined, options.runsDir, context.cwd)];
      const { exported: webDir } = await findWebClient(context);
      const viewer = { ...options, runs, maintainer: false, mode: "exported" } as const;
      const app = createApp(await viewerSources(context, viewer));
      const target = resolve(context.cwd, dir ?? options.single ?? "");
      const summary =
        dir === undefined
          ? await exportSingle({ app, webDir, file: target })
          : await exportFolder({ app, webDir, folder: target });
      if (options.json === true) {
        printJson({ target, ...summary }, context.out);
        return;
      }
      const { attempts, files, leftOut } = summary;
      const left = leftOut.length === 0 ? "" : `, ${leftOut.length} files were too large and left out`;
      const page = dir === undefined ? target : resolve(target, "index.html");
      context.out.write(`${friendlyPath(page, context.cwd)}: ${attempts} attempts, ${files} files${left}\n`);
    });
}
