import type { Maybe } from "../contract/absence.ts";
import type { PlannedTrial } from "../contract/exam-plan.ts";
import { parseInstanceId } from "../contract/ids.ts";
import type { TrialResult } from "../contract/trial-result.ts";
import { isRetryable, type TrialStatus } from "../contract/trial-status.ts";
import { type CountedGrade, countedGrade } from "../record/counted-grade.ts";
import type { AttemptRecord } from "../record/run-record.ts";

/** A trial with the attempt that counts, or none. */
export interface CountedTrial {
  readonly trial: string;
  readonly contestant: string;
  readonly workflow: string;
  readonly instance: string;
  /** 1-based. */
  readonly repeat: number;
  /** Attempts on disk, those that were cut off included. */
  readonly attempts: number;
  /** Absent: no attempt was finished. */
  readonly counted: { readonly result: TrialResult; readonly grade: CountedGrade } | undefined;
}

/**
 * Picks the attempt that counts for each trial: the last finished one that ended by the contestant's doing; where there is
 * none, the last finished one. So a retry replaces a failure of the house, and a rerun that the house broke or an operator
 * stopped takes no outcome away.
 * @param planned trials that must appear even without an attempt; others found on disk are added.
 */
export function countTrials(
  attempts: readonly AttemptRecord[],
  planned: readonly PlannedTrial[] = [],
): readonly CountedTrial[] {
  const byTrial = new Map<string, AttemptRecord[]>();
  for (const attempt of attempts) {
    const list = byTrial.get(attempt.trial);
    if (list === undefined) byTrial.set(attempt.trial, [attempt]);
    else list.push(attempt);
  }
  const trials: CountedTrial[] = [];
  for (const plan of planned) {
    trials.push(countTrial(plan, byTrial.get(plan.id) ?? []));
    byTrial.delete(plan.id);
  }
  for (const [id, list] of byTrial) {
    const result = list.findLast((attempt) => attempt.result !== undefined)?.result;
    if (result === undefined) continue;
    const { instance, repeat } = result;
    trials.push(countTrial({ id, contestant: result.contestant.name, instance, repeat }, list));
  }
  return trials;
}

function countTrial(plan: PlannedTrial, attempts: readonly AttemptRecord[]): CountedTrial {
  const finished = attempts
    .flatMap(({ result, ...attempt }) =>
      result === undefined ? [] : [{ result, grade: countedGrade({ ...attempt, result }) }],
    )
    .sort((one, other) => one.result.attempt - other.result.attempt);
  return {
    trial: plan.id,
    contestant: plan.contestant,
    workflow: parseInstanceId(plan.instance).workflow,
    instance: plan.instance,
    repeat: plan.repeat,
    attempts: attempts.length,
    counted: finished.findLast(({ grade }) => isContestantsDoing(grade.status)) ?? finished.at(-1),
  };
}

function isContestantsDoing(status: TrialStatus): boolean {
  return status !== "cancelled" && !isRetryable(status);
}

/** A number of each trial summed up, unknown as soon as one is: a part is not the whole. */
export function sumOver(
  trials: readonly CountedTrial[],
  value: (result: TrialResult) => Maybe<number>,
): Maybe<number> {
  let sum = 0;
  const reasons: string[] = [];
  for (const { counted } of trials) {
    const amount = counted === undefined ? undefined : value(counted.result);
    if (amount === undefined) reasons.push("no attempt was finished");
    else if (amount.known) sum += amount.value;
    else reasons.push(amount.reason);
  }
  if (reasons.length === 0) return { known: true, value: sum };
  const words = [...new Set(reasons)].join("; ");
  return { known: false, reason: `unknown for ${reasons.length} of ${trials.length} trials: ${words}` };
}
