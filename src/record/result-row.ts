import { known, type Maybe, unknown } from "../contract/absence.ts";
import { type CallChannel, callChannels } from "../contract/call-channel.ts";
import type { TrialResult } from "../contract/trial-result.ts";
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
  /** Of all calls, by channel, each from 0 to 1. */
  readonly channelShares: Readonly<Record<CallChannel, number>> | null;
  readonly channelSharesReason: string | null;
  /** Whether the channel that the task requires was worked around. */
  readonly bypassed: boolean | null;
  readonly bypassedReason: string | null;
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
  const shares = channelShares(result);
  const bypassed = isBypassed(result);
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
    channelShares: valueOrNull(shares),
    channelSharesReason: reasonOrNull(shares),
    bypassed: valueOrNull(bypassed),
    bypassedReason: reasonOrNull(bypassed),
    startedAt: result.startedAt,
    wallMs: result.wallMs,
    workingMs: result.workingMs,
    taskHash: grade.taskHash,
    comparabilityKey: grade.comparabilityKey,
    regrade: grade.regrade ?? null,
    dir: attempt.dir,
  };
}

const unaccounted = unknown("its channels were not accounted for");

function channelShares({ channels }: TrialResult): ReturnType<typeof sharesOf> {
  return channels === undefined ? unaccounted : sharesOf(channels);
}

function sharesOf({ channels }: NonNullable<TrialResult["channels"]>): Maybe<Record<CallChannel, number>> {
  const shares: Partial<Record<CallChannel, number>> = {};
  for (const channel of callChannels) {
    const { share } = channels[channel];
    if (!share.known) return share;
    shares[channel] = share.value;
  }
  return known(shares as Record<CallChannel, number>);
}

/** Whether the channel that its task requires was worked around; absent where none is required or the record cannot tell. */
export function isBypassed({ channels }: Pick<TrialResult, "channels">): Maybe<boolean> {
  if (channels === undefined) return unaccounted;
  const { required } = channels;
  if (required.state === "not-asked") return unknown("the task requires no channel");
  if (required.state === "unknown") return unknown(required.reason);
  return known(required.state === "bypassed");
}

function valueOrNull<T>(maybe: Maybe<T>): T | null {
  return maybe.known ? maybe.value : null;
}

function reasonOrNull(maybe: Maybe<unknown>): string | null {
  return maybe.known ? null : maybe.reason;
}
