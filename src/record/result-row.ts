import type { Maybe } from "../contract/absence.ts";
import type { TrialStatus } from "../contract/trial-status.ts";
import { countedGrade } from "./counted-grade.ts";
import type { AttemptRecord } from "./run-record.ts";

/** Tokens of one attempt; `input` includes `cached`. */
export interface TokenCounts {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/**
 * One finished attempt as `ale results ls --json` shows it. A missing number is `null`, and the field of the same name
 * with `Reason` says why; where the number is there the reason is `null`.
 */
export interface ResultRow {
  readonly trial: string;
  readonly contestant: string;
  readonly instance: string;
  /** 1-based. */
  readonly repeat: number;
  /** 1-based. */
  readonly attempt: number;
  readonly status: TrialStatus;
  /** What ended it, in words; empty when completed. */
  readonly reason: string;
  readonly score: number | null;
  readonly scoreReason: string | null;
  readonly fullPass: boolean | null;
  readonly fullPassReason: string | null;
  readonly costUsd: number | null;
  readonly costUsdReason: string | null;
  readonly tokens: TokenCounts | null;
  readonly tokensReason: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly wallMs: number;
  readonly workingMs: number;
  readonly taskHash: string;
  readonly comparabilityKey: string;
  /** Number of the regrade the score comes from. */
  readonly regrade: number | null;
  /** The attempt's folder. */
  readonly dir: string;
}

/** The row of an attempt, or `undefined` for one that was cut off. */
export function resultRow(attempt: AttemptRecord): ResultRow | undefined {
  const { result } = attempt;
  if (result === undefined) return undefined;
  const grade = countedGrade({ ...attempt, result });
  const { usage } = result;
  return {
    trial: result.trial,
    contestant: result.contestant.name,
    instance: result.instance,
    repeat: result.repeat,
    attempt: result.attempt,
    status: grade.status,
    reason: result.reason,
    score: valueOrNull(grade.score),
    scoreReason: reasonOrNull(grade.score),
    fullPass: valueOrNull(grade.fullPass),
    fullPassReason: reasonOrNull(grade.fullPass),
    costUsd: valueOrNull(result.costUsd),
    costUsdReason: reasonOrNull(result.costUsd),
    tokens: usage.known
      ? { input: usage.value.input, cached: usage.value.cached, output: usage.value.output }
      : null,
    tokensReason: reasonOrNull(usage),
    startedAt: result.startedAt,
    wallMs: result.wallMs,
    workingMs: result.workingMs,
    taskHash: grade.taskHash,
    comparabilityKey: grade.comparabilityKey,
    regrade: grade.regrade ?? null,
    dir: attempt.dir,
  };
}

function valueOrNull<T>(maybe: Maybe<T>): T | null {
  return maybe.known ? maybe.value : null;
}

function reasonOrNull(maybe: Maybe<unknown>): string | null {
  return maybe.known ? null : maybe.reason;
}
