import type { TrialPhase } from "../../contract/trial-phase.ts";
import type { TrialResult } from "../../contract/trial-result.ts";
import type { TrialStatus } from "../../contract/trial-status.ts";
import type { ExamProgress } from "../../exam/conduct/exam-progress.ts";

export interface RunningTrial {
  readonly trial: string;
  readonly attempt: number;
  readonly phase: TrialPhase;
  /** Monotonic milliseconds at which the phase began. */
  readonly since: number;
}

/** What a screen shows of a running exam. */
export interface ProgressState {
  readonly planned: number;
  /** Trials finished, those before a resume included. */
  readonly done: number;
  /** Trials finished by this process, for the estimate of the time left. */
  readonly doneHere: number;
  readonly running: ReadonlyMap<string, RunningTrial>;
  readonly statuses: Readonly<Partial<Record<TrialStatus, number>>>;
  readonly costUsd: number;
  /** Trials whose cost is not known, and so not in `costUsd`. */
  readonly uncosted: number;
  readonly stopping: boolean;
  readonly startedAt: number;
}

/** Before anything was heard of the exam. `now` is monotonic, in milliseconds. */
export function initialProgress(now: number): ProgressState {
  return {
    planned: 0,
    done: 0,
    doneHere: 0,
    running: new Map(),
    statuses: {},
    costUsd: 0,
    uncosted: 0,
    stopping: false,
    startedAt: now,
  };
}

/** The state after an event. `now` is monotonic, in milliseconds. */
export function advanceProgress(state: ProgressState, event: ExamProgress, now: number): ProgressState {
  switch (event.type) {
    case "exam-started":
      return { ...state, planned: event.planned, done: event.done };
    case "attempt-started":
      return withRunning(state, event.trial.id, { attempt: event.attempt, phase: "provision", since: now });
    case "phase":
      if (event.state === "ended") return state;
      return withRunning(state, event.trial.id, { attempt: event.attempt, phase: event.phase, since: now });
    case "attempt-ended":
      return withCost(withoutRunning(state, event.trial.id), event.result);
    case "trial-ended": {
      const { status } = event.result;
      const statuses = { ...state.statuses, [status]: (state.statuses[status] ?? 0) + 1 };
      return { ...state, statuses, done: state.done + 1, doneHere: state.doneHere + 1 };
    }
    case "admission-stopped":
      return { ...state, stopping: true };
    case "retry-scheduled":
    case "exam-ended":
      return state;
  }
}

/** Estimated milliseconds until the end, by this process's pace; `undefined` before the first trial has ended. */
export function timeLeft(state: ProgressState, now: number): number | undefined {
  if (state.doneHere === 0) return undefined;
  return ((now - state.startedAt) / state.doneHere) * (state.planned - state.done);
}

function withRunning(state: ProgressState, trial: string, rest: Omit<RunningTrial, "trial">): ProgressState {
  return { ...state, running: new Map(state.running).set(trial, { trial, ...rest }) };
}

function withoutRunning(state: ProgressState, trial: string): ProgressState {
  const running = new Map(state.running);
  running.delete(trial);
  return { ...state, running };
}

function withCost(state: ProgressState, result: TrialResult): ProgressState {
  if (!result.costUsd.known) return { ...state, uncosted: state.uncosted + 1 };
  return { ...state, costUsd: state.costUsd + result.costUsd.value };
}
