import type { ExamProgress } from "../../exam/conduct/exam-progress.ts";
import type { CliContext } from "../cli-context.ts";
import { liveProgress } from "./live-progress.ts";
import { plainProgress } from "./plain-progress.ts";

/** Shows a running exam until disposed. */
export interface ProgressDisplay extends Disposable {
  readonly show: (event: ExamProgress) => void;
}

/** Live where standard error is a terminal, plain lines elsewhere. */
export function progressDisplay(context: CliContext, budgetUsd: number | undefined): ProgressDisplay {
  return context.err.isTerminal ? liveProgress(context, budgetUsd) : plainProgress(context);
}
