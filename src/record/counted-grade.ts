import { known, type Maybe } from "../contract/absence.ts";
import type { TrialResult } from "../contract/trial-result.ts";
import type { TrialStatus } from "../contract/trial-status.ts";
import type { Verdict } from "../contract/verdict.ts";
import type { AttemptRecord } from "./run-record.ts";

/** The grade of an attempt that counts: the first, or that of a regrade. */
export interface CountedGrade {
  readonly status: TrialStatus;
  readonly score: Maybe<number>;
  readonly fullPass: Maybe<boolean>;
  readonly verdict: Verdict | undefined;
  readonly taskHash: string;
  readonly comparabilityKey: string;
  /** Number of the regrade it comes from; absent for the grade the attempt ended with. */
  readonly regrade?: number;
}

/**
 * The last regrade that came to a verdict counts, else the grade the attempt ended with. A regrade whose grader failed
 * says something of the grader, not of the artifacts: it stays in the history and takes no verdict away.
 */
export function countedGrade(
  attempt: Pick<AttemptRecord, "verdict" | "regrades"> & { readonly result: TrialResult },
): CountedGrade {
  const { result } = attempt;
  const regrade = attempt.regrades.findLast((candidate) => candidate.verdict !== undefined);
  if (regrade?.verdict === undefined) {
    const { status, score, fullPass, taskHash, comparabilityKey } = result;
    return { status, score, fullPass, verdict: attempt.verdict, taskHash, comparabilityKey };
  }
  return {
    status: regrade.status,
    score: known(regrade.verdict.score),
    fullPass: known(regrade.verdict.fullPass),
    verdict: regrade.verdict,
    taskHash: regrade.taskHash,
    comparabilityKey: regrade.comparabilityKey,
    regrade: regrade.regrade,
  };
}
