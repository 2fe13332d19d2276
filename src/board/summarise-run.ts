import { known, type Maybe } from "../contract/absence.ts";
import type { PlannedTrial } from "../contract/exam-plan.ts";
import type { ScoringPolicy } from "../contract/scoring-policy.ts";
import type { TrialStatus } from "../contract/trial-status.ts";
import type { Usage } from "../contract/usage.ts";
import type { AttemptRecord } from "../record/run-record.ts";
import { describeEstimand, type Estimand } from "../stats/clusters.ts";
import { type ChannelBypass, channelBypass } from "./channel-bypass.ts";
import { costPerPass } from "./cost-per-pass.ts";
import { type CountedTrial, countTrials, sumOver } from "./counted-trial.ts";
import { type LaneEstimate, laneEstimate } from "./lane-estimate.ts";
import { type Nullable, nullable } from "./nullable.ts";

export interface SummariseOptions {
  /** The plan's trials: those never finished are then shown as missing, not left out. */
  readonly planned?: readonly PlannedTrial[];
  /** Default `workflow`. */
  readonly estimand?: Estimand;
  /** Default 0.95. */
  readonly level?: number;
}

/** What is common to both figures: the interval, the bracket, and how they were made. */
export type FigureDetails = Nullable<"low" | "high" | "bracketLow" | "bracketHigh"> & {
  /** Trials the point value is made of. */
  readonly n: number;
  readonly estimand: Estimand;
  /** The estimand in words. */
  readonly estimandIs: string;
  /** How the interval was made; `none` where there is none. */
  readonly method: string;
};

/** One contestant as `ale run --json` shows it. Rates and means are in [0, 1], cost in US dollars. */
export type ContestantSummary = Nullable<"costUsd"> & {
  readonly contestant: string;
  readonly trials: number;
  /** By status of the attempt that counts; `not-finished` where there is none. */
  readonly statuses: Readonly<Partial<Record<TrialStatus | "not-finished", number>>>;
  readonly missing: number;
  readonly excluded: number;
  readonly fullPass: FigureDetails & Nullable<"rate"> & { readonly passes: number };
  readonly mean: FigureDetails & Nullable<"value">;
  /** US dollars per full pass, with Fieller's interval; see `costPerPass`. */
  readonly costPerPass: Nullable<"value" | "low" | "high">;
  /** Of the attempts that count; `input` includes `cached`. */
  readonly tokens: Nullable<"input" | "cached" | "output">;
  /** Beside the scores, which it never changes. */
  readonly bypass: ChannelBypass;
};

/**
 * Sums a run up by contestant, in the order they first appear. From records only: the attempt that counts per trial
 * (see `countTrials`), the scoring policy, and cluster-robust intervals over workflows.
 */
export function summariseRun(
  attempts: readonly AttemptRecord[],
  policy: ScoringPolicy,
  options: SummariseOptions = {},
): readonly ContestantSummary[] {
  const byContestant = Map.groupBy(countTrials(attempts, options.planned), (trial) => trial.contestant);
  return [...byContestant].map(([contestant, trials]) => summarise(contestant, trials, policy, options));
}

function summarise(
  contestant: string,
  trials: readonly CountedTrial[],
  policy: ScoringPolicy,
  options: SummariseOptions,
): ContestantSummary {
  const fullPass = laneEstimate(trials, "full-pass", { ...options, policy });
  const mean = laneEstimate(trials, "mean", { ...options, policy });
  const perPass = costPerPass(trials, policy, options.level);
  return {
    contestant,
    trials: trials.length,
    statuses: countStatuses(trials),
    missing: fullPass.missing,
    excluded: fullPass.excluded,
    fullPass: { passes: fullPass.passes, ...nullable("rate", fullPass.value), ...details(fullPass) },
    mean: { ...nullable("value", mean.value), ...details(mean) },
    ...nullable(
      "costUsd",
      sumOver(trials, (result) => result.costUsd),
    ),
    costPerPass: {
      ...nullable("value", perPass.value),
      ...nullable("low", perPass.interval.known ? known(perPass.interval.value.low) : perPass.interval),
      ...nullable("high", perPass.interval.known ? known(perPass.interval.value.high) : perPass.interval),
    },
    tokens: {
      ...nullable("input", tokens(trials, "input")),
      ...nullable("cached", tokens(trials, "cached")),
      ...nullable("output", tokens(trials, "output")),
    },
    bypass: channelBypass(trials),
  };
}

function details(estimate: LaneEstimate): FigureDetails {
  const { interval, bracket, estimand } = estimate;
  return {
    n: estimate.trials,
    ...nullable("low", interval.known ? known(interval.value.low) : interval),
    ...nullable("high", interval.known ? known(interval.value.high) : interval),
    ...nullable("bracketLow", bracket.low),
    ...nullable("bracketHigh", bracket.high),
    estimand,
    estimandIs: describeEstimand(estimand),
    method: interval.known ? interval.value.method : "none",
  };
}

function tokens(trials: readonly CountedTrial[], kind: "input" | "cached" | "output"): Maybe<number> {
  const count = (usage: Maybe<Usage>): Maybe<number> => (usage.known ? known(usage.value[kind]) : usage);
  return sumOver(trials, (result) => count(result.usage));
}

function countStatuses(trials: readonly CountedTrial[]): ContestantSummary["statuses"] {
  const counts: Partial<Record<TrialStatus | "not-finished", number>> = {};
  for (const { counted } of trials) {
    const status = counted?.grade.status ?? "not-finished";
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
