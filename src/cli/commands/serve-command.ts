import { once } from "node:events";
import { Command } from "commander";
import { AleError } from "../../contract/ale-error.ts";
import { createViewerApp } from "../../server/create-viewer-app.ts";
import type { RunShelf } from "../../server/run-shelf.ts";
import { serveApp } from "../../server/serve-app.ts";
import type { CliContext } from "../cli-context.ts";
import { defaultRunsDir } from "../find-run.ts";
import { newPageSecrets } from "../page-secrets.ts";
import { parsePort } from "../parse-port.ts";
import { viewerSources } from "../viewer-sources.ts";
import { findWebClient } from "../web-client.ts";
import { defaultBoardsDir } from "./board-import.ts";
import { collectOption } from "./collect-option.ts";

interface ServeCommandOptions {
  readonly port: string;
  readonly runsDir: string;
  readonly boardsDir: string;
  readonly tasksRoot?: readonly string[];
  readonly maintainer?: boolean;
}

/** `ale serve` */
export function serveCommand(context: CliContext): Command {
  return new Command("serve")
    .description(
      "Show runs, boards and tasks in a browser, on this machine only, by an address that is good once. Changes nothing of a record.",
    )
    .argument("[run...]", "run directories or names; every run by default, new ones as they appear")
    .option("--port <n>", "port of 127.0.0.1; 0 for any free one", "4173")
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--boards-dir <dir>", "where imported boards are kept", defaultBoardsDir)
    .option("--tasks-root <dir>", "look for packages here; may be given several times", collectOption)
    .option(
      "--maintainer",
      "also show private tasks, evidence of checks and graders' logs, and label failures",
    )
    .addHelpText("after", "\nExample: npx ale serve --port 0")
    .action(async (runs: readonly string[], options: ServeCommandOptions) => {
      const port = parsePort(options.port);
      const { served } = await findWebClient(context);
      const viewer = { ...options, runs, maintainer: options.maintainer === true, mode: "served" } as const;
      const sources = await viewerSources(context, viewer);
      const secrets = newPageSecrets();
      const app = createViewerApp({ secrets, reading: sources });
      await using server = await serveApp({ app, webDir: served, port });
      context.out.write(`${server.url}#/serve/${secrets.token}\n`);
      context.err.write("open this address, which is good once: the browser that opens it is let in\n");
      await readAhead(sources.shelf, context.interrupted);
      if (!context.interrupted.aborted) await once(context.interrupted, "abort");
    });
}

/** Reads the runs before anybody asks, newest first. One that cannot be read is told of in the list of runs. */
async function readAhead(shelf: RunShelf, stop: AbortSignal): Promise<void> {
  for (const id of [...(await shelf.folders()).keys()].reverse()) {
    if (stop.aborted) return;
    await shelf.get(id).catch(ignoreUnreadable);
  }
}

function ignoreUnreadable(error: unknown): void {
  if (!AleError.isInstance(error)) throw error;
}
