import { isRetryable, type TrialStatus } from "../../contract/trial-status.ts";
import { countedGrade } from "../../record/counted-grade.ts";
import type { AttemptRecord } from "../../record/run-record.ts";

/**
 * Where each trial stands: the status of its last finished attempt that ended by the contestant's doing, or where
 * there is none, of its last finished one. Regrades count; cut-off attempts do not.
 */
export function trialStandings(attempts: readonly AttemptRecord[]): ReadonlyMap<string, TrialStatus> {
  const standings = new Map<string, TrialStatus>();
  for (const attempt of attempts) {
    const { trial, result } = attempt;
    if (result === undefined) continue;
    standings.set(trial, laterStanding(standings.get(trial), countedGrade({ ...attempt, result }).status));
  }
  return standings;
}

/** A rerun that the house broke, or that the operator stopped, takes no outcome away. */
export function laterStanding(before: TrialStatus | undefined, now: TrialStatus): TrialStatus {
  return before !== undefined && isContestants(before) && !isContestants(now) ? before : now;
}

/**
 * Whether a trial has to be sat (again): never finished, failed through no fault of the contestant, cancelled by
 * the operator, or asked for by its status.
 */
export function needsAttempt(standing: TrialStatus | undefined, rerun: readonly TrialStatus[]): boolean {
  return standing === undefined || !isContestants(standing) || rerun.includes(standing);
}

function isContestants(status: TrialStatus): boolean {
  return status !== "cancelled" && !isRetryable(status);
}
