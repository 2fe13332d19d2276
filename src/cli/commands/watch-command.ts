import { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { defaultRunsDir } from "../find-run.ts";
import { type WatchOptions, watchRun } from "../watch-run.ts";
import { collectOption } from "./collect-option.ts";

/** `ale watch` */
export function watchCommand(context: CliContext): Command {
  return new Command("watch")
    .description(
      "Watch trials as they run, desktops and events, on a page in the browser. The run does not notice.",
    )
    .argument("[run|trial]", "a run, or a trial's id or part of it; the newest run that goes on by default")
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--tasks-root <dir>", "look for packages here; may be given several times", collectOption)
    .option("--maintainer", "also show private tasks")
    .option("--port <n>", "port of 127.0.0.1; 0 for any free one", "0")
    .option("--json", "print the address and the trials that run as JSON")
    .addHelpText("after", "\nExample: npx ale watch")
    .action((target: string | undefined, options: WatchOptions) => watchRun(context, target, options));
}
