import type { CliContext } from "../cli-context.ts";
import { liveProgress } from "./live-progress.ts";
import { plainProgress } from "./plain-progress.ts";
import type { ProgressDisplay } from "./progress-display.ts";

/** Live where standard error is a terminal, plain lines elsewhere. */
export function createProgressDisplay(context: CliContext, budgetUsd: number | undefined): ProgressDisplay {
  return context.err.isTerminal ? liveProgress(context, budgetUsd) : plainProgress(context);
}
