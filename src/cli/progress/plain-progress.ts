import { lastWords } from "../../contract/last-words.ts";
import type { TrialResult } from "../../contract/trial-result.ts";
import type { ExamProgress } from "../../exam/conduct/exam-progress.ts";
import type { CliContext } from "../cli-context.ts";
import { formatDuration } from "../output/format-number.ts";
import type { ProgressDisplay } from "./progress-display.ts";
import { advanceProgress, initialProgress } from "./progress-state.ts";

/** One line for each thing that happened, for pipes and logs. */
export function plainProgress(context: CliContext): ProgressDisplay {
  let state = initialProgress(context.clock.monotonic());

  function show(event: ExamProgress): void {
    state = advanceProgress(state, event, context.clock.monotonic());
    const line = describe(event, `[${state.done}/${state.planned}]`);
    if (line !== undefined) context.err.write(`${line}\n`);
  }

  return { show, [Symbol.dispose]: () => undefined };
}

function describe(event: ExamProgress, count: string): string | undefined {
  switch (event.type) {
    case "exam-started":
      return event.done === 0
        ? `${event.planned} ${event.planned === 1 ? "trial" : "trials"}`
        : `${event.planned} trials, ${event.done} of them finished before`;
    case "trial-ended":
      return `${count} ${describeResult(event.result)}`;
    case "retry-scheduled":
      return `${count} ${event.trial.id}: ${event.after}, another attempt in ${formatDuration(event.delayMs)}`;
    case "admission-stopped":
      return "stopping: no further trial is started";
    case "attempt-started":
    case "phase":
    case "attempt-ended":
    case "exam-ended":
      return undefined;
  }
}

/** One trial's end in one line. */
export function describeResult(result: TrialResult): string {
  const score = result.score.known ? result.score.value.toFixed(3) : "no score";
  const reason = result.reason === "" ? "" : `  (${inOneLine(result.reason)})`;
  return `${result.status}  ${score}  ${result.trial}  ${formatDuration(result.wallMs)}${reason}`;
}

/** Longest reason shown of a trial, in characters; the record has the whole. */
const longestReason = 400;

/** A reason's beginning, and of what a program said over several lines the one that tells most. */
function inOneLine(reason: string): string {
  const [first = "", ...rest] = reason.trim().split(/\s*[\r\n]+/);
  const words = lastWords(rest.join("\n"));
  const room = longestReason - words.length;
  const head = first.length > room ? `${first.slice(0, room)}…` : first;
  return words === "" ? head : `${head} … ${words}`;
}
