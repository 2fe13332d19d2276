import { once } from "node:events";
import { serveApp } from "../server/serve-app.ts";
import { createWatchApp } from "../server/watch/create-watch-app.ts";
import { watchView } from "../server/watch/watch-view.ts";
import type { CliContext } from "./cli-context.ts";
import { defaultBoardsDir } from "./commands/board-import.ts";
import { findWatched } from "./find-watched.ts";
import { printJson } from "./output/print-json.ts";
import { newPageSecrets } from "./page-secrets.ts";
import { parsePort } from "./parse-port.ts";
import { viewerSources } from "./viewer-sources.ts";
import { findWebClient } from "./web-client.ts";

/** What `ale watch` takes on the command line, as typed. */
export interface WatchOptions {
  readonly runsDir: string;
  readonly tasksRoot?: readonly string[];
  readonly maintainer?: boolean;
  readonly port: string;
  readonly json?: boolean;
}

/** Shows what goes on in a run on a page of this machine, until interrupted. The run is not touched. */
export async function watchRun(
  context: CliContext,
  target: string | undefined,
  options: WatchOptions,
): Promise<void> {
  const port = parsePort(options.port);
  const { cwd, clock } = context;
  const { dir, trial } = await findWatched(target, { runsDir: options.runsDir, cwd, clock });
  const reading = await viewerSources(context, {
    ...options,
    runs: [dir],
    boardsDir: defaultBoardsDir,
    maintainer: options.maintainer === true,
    mode: "served",
    withoutIndex: true,
  });
  const [run = ""] = (await reading.shelf.folders()).keys();
  const watched = { run, ...(trial === undefined ? {} : { asked: trial }) };
  const secrets = newPageSecrets();
  const { served } = await findWebClient(context);
  const app = createWatchApp({ ...watched, secrets, reading });
  await using server = await serveApp({ app, webDir: served, port });
  const address = `${server.url}#/watch/${secrets.token}`;
  const { running, planned, finished } = await watchView(reading, watched);
  if (options.json === true) printJson({ address, run, planned, finished, running }, context.out);
  else {
    context.out.write(`${run}: ${running.length} running, ${finished} of ${planned} finished\n`);
    for (const one of running) context.out.write(`  ${one.trial}\n`);
    context.out.write(
      `\nopen this address, which is good once; Ctrl-C ends the page, not the run\n\n  ${address}\n`,
    );
  }
  if (!context.interrupted.aborted) await once(context.interrupted, "abort");
}
