import { createLogUpdate } from "log-update";
import type { ExamProgress } from "../../exam/conduct/exam-progress.ts";
import type { CliContext } from "../cli-context.ts";
import { formatDollars, formatDuration } from "../output/format-number.ts";
import { plainText } from "../output/plain-text.ts";
import { textTable } from "../output/text-table.ts";
import { describeResult } from "./plain-progress.ts";
import type { ProgressDisplay } from "./progress-display.ts";
import {
  advanceProgress,
  initialProgress,
  type ProgressState,
  type RunningTrial,
  timeLeft,
} from "./progress-state.ts";

const redrawMs = 250;
const shownTrials = 12;

/** A block at the end of the terminal that is redrawn: running trials by phase, counts, cost and time left. */
export function liveProgress(context: CliContext, budgetUsd: number | undefined): ProgressDisplay {
  const { clock } = context;
  const update = createLogUpdate(process.stderr);
  let state = initialProgress(clock.monotonic());
  const redraw = (): void => update(renderProgress(state, clock.monotonic(), budgetUsd));
  const timer = setInterval(redraw, redrawMs);
  timer.unref();

  function show(event: ExamProgress): void {
    state = advanceProgress(state, event, clock.monotonic());
    if (event.type === "trial-ended") update.persist(plainText(describeResult(event.result)));
    redraw();
  }

  return {
    show,
    [Symbol.dispose]() {
      clearInterval(timer);
      update.clear();
      update.done();
    },
  };
}

/** The block as text. */
export function renderProgress(state: ProgressState, now: number, budgetUsd: number | undefined): string {
  const running = [...state.running.values()];
  const rows = textTable<RunningTrial>(
    [
      { title: "running", cell: (trial) => trial.trial },
      { title: "try", align: "right", cell: (trial) => String(trial.attempt) },
      { title: "phase", cell: (trial) => trial.phase },
      { title: "for", align: "right", cell: (trial) => formatDuration(now - trial.since) },
    ],
    running.slice(0, shownTrials),
  );
  const more = running.length > shownTrials ? `and ${running.length - shownTrials} more\n` : "";
  const left = timeLeft(state, now);
  const counts = [
    `${state.done} of ${state.planned} trials`,
    ...Object.entries(state.statuses).map(([status, count]) => `${count} ${status}`),
    `cost ${formatDollars(state.costUsd)}${budgetUsd === undefined ? "" : ` of ${formatDollars(budgetUsd)}`}${state.uncosted === 0 ? "" : ` (${state.uncosted} unknown)`}`,
    left === undefined ? "time left unknown yet" : `about ${formatDuration(left)} left`,
  ];
  const stopping = state.stopping
    ? "stopping: running trials are being torn down; Ctrl-C again to stop at once\n"
    : "";
  return `${running.length === 0 ? "" : rows}${more}${stopping}${counts.join("  ·  ")}`;
}
