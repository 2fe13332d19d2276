import { isRetryable, type TrialStatus } from "../../contract/trial-status.ts";
import type { AttemptRecord } from "../../record/run-record.ts";

/** Status of the last finished attempt of each trial; the last regrade counts. Cut-off attempts do not. */
export function trialStandings(attempts: readonly AttemptRecord[]): ReadonlyMap<string, TrialStatus> {
  const standings = new Map<string, TrialStatus>();
  for (const { trial, result, regrades } of attempts) {
    if (result !== undefined) standings.set(trial, regrades.at(-1)?.status ?? result.status);
  }
  return standings;
}

/**
 * Whether a trial has to be sat (again): never finished, failed through no fault of the contestant, cancelled by
 * the operator, or asked for by its status.
 */
export function needsAttempt(standing: TrialStatus | undefined, rerun: readonly TrialStatus[]): boolean {
  if (standing === undefined || standing === "cancelled" || isRetryable(standing)) return true;
  return rerun.includes(standing);
}
