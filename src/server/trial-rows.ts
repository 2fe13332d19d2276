import type { CountedTrial } from "../board/counted-trial.ts";
import { parseInstanceId } from "../contract/ids.ts";
import { isBypassed } from "../record/result-row.ts";
import type { TrialState } from "./api/run-summary.ts";
import type { TrialRow } from "./api/trial-row.ts";
import type { LoadedRun } from "./loaded-run.ts";

/** Every trial of a run, planned ones without an attempt included. */
export function trialRows(run: LoadedRun): readonly TrialRow[] {
  return run.trials.map((trial) => trialRow(trial, run));
}

/** A trial by the attempt that counts. */
export function trialRow(trial: CountedTrial, run: LoadedRun): TrialRow {
  const { trial: id, contestant, instance, repeat, attempts, counted } = trial;
  const result = counted?.result;
  const bypassed = result === undefined ? undefined : isBypassed(result);
  return {
    trial: id,
    contestant,
    instance,
    repeat,
    attempt: result?.attempt ?? attempts,
    attempts,
    state: trialState(trial, run),
    reason: result?.reason ?? "",
    score: counted?.grade.score.known ? counted.grade.score.value : null,
    costUsd: result?.costUsd.known ? result.costUsd.value : null,
    wallMs: result?.wallMs ?? null,
    bypassed: bypassed?.known === true ? bypassed.value : null,
    startedAt: result?.startedAt ?? null,
  };
}

/** How a trial stands now. A running attempt shows even where an earlier one has ended. */
export function trialState({ trial, counted }: CountedTrial, run: LoadedRun): TrialState {
  if (run.active.has(trial)) return "running";
  return counted?.grade.status ?? "not-finished";
}

/** Domain of an instance, such as `legal`. */
export function domainOf(instance: string): string {
  return parseInstanceId(instance).domain;
}
