import { CommanderError } from "commander";
import { AleError } from "../contract/ale-error.ts";
import type { CliContext } from "./cli-context.ts";
import { createProgram } from "./create-program.ts";
import { printError } from "./output/print-error.ts";

/** Codes of errors that stand for wrong usage: exit status 2. Everything else that is thrown is 1. */
const usageCodes: ReadonlySet<string> = new Set([
  "usage",
  "no-such-file",
  "malformed-file",
  "bad-task-id",
  "no-instances",
  "no-such-folder",
  "pattern-matches-nothing",
  "contestant-name-twice",
  "instance-twice",
  "unknown-harness",
  "unknown-image",
  "unknown-instance",
  "unknown-provider",
  "unknown-run",
  "unknown-board",
  "unknown-label",
  "malformed-board",
  "mixed-lanes",
  "mixed-policies",
  "bad-models-file",
  "bad-harness-file",
  "bad-script-file",
  "harness-name-taken",
  "nothing-to-install",
  "unknown-model",
  "file-exists",
]);

/** Parses and runs one command line. Never throws: errors are printed and become the exit status. */
export async function runCommandLine(argv: readonly string[], context: CliContext): Promise<void> {
  try {
    try {
      await createProgram(context).parseAsync(argv, { from: "user" });
    } finally {
      await context.closing.disposeAsync();
    }
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed its message already; help and version end with 0.
      context.setExitStatus(error.exitCode === 0 ? 0 : 2);
      return;
    }
    printError(error, context.err);
    context.setExitStatus(AleError.isInstance(error) && usageCodes.has(error.code) ? 2 : 1);
  }
}
