import { type Maybe, unknown } from "../contract/absence.ts";
import type { ScoringPolicy } from "../contract/scoring-policy.ts";
import { type ClusteredMean, clusteredMean } from "../stats/clustered-mean.ts";
import type { Estimand, Observation } from "../stats/clusters.ts";
import type { CountedTrial } from "./counted-trial.ts";
import { policyValue } from "./policy-value.ts";

/** What is averaged: the share of full passes, or the score. */
export type Measure = "full-pass" | "mean";

export interface EstimateOptions {
  readonly policy: ScoringPolicy;
  /** Default `workflow`. */
  readonly estimand?: Estimand;
  /** Default 0.95. */
  readonly level?: number;
}

/** A contestant's figure: the point over what is known, and the bracket over what is not. */
export interface LaneEstimate extends ClusteredMean {
  /** Missing trials taken as 0, and as 1. Equal to the value when nothing is missing. */
  readonly bracket: { readonly low: Maybe<number>; readonly high: Maybe<number> };
  /** Trials that count 1 exactly. */
  readonly passes: number;
  readonly missing: number;
  readonly excluded: number;
}

/** Estimates one measure from a contestant's trials. */
export function laneEstimate(
  trials: readonly CountedTrial[],
  measure: Measure,
  options: EstimateOptions,
): LaneEstimate {
  const range = [0, 1] as const;
  const known = laneObservations(trials, measure, options.policy);
  const values = trials.map((trial) => policyValue(trial, options.policy));
  const missing = values.filter((value) => value.kind === "missing").length;
  const excluded = values.filter((value) => value.kind === "excluded").length;
  const filled = (value: number): Maybe<number> =>
    clusteredMean(laneObservations(trials, measure, options.policy, value), { ...options, range }).value;
  const nothing = unknown(`no trial has a known score (${missing} missing, ${excluded} excluded)`);
  const estimate = clusteredMean(known, { ...options, range });
  return {
    ...(known.length > 0 ? estimate : { ...estimate, value: nothing, interval: nothing }),
    bracket: { low: filled(0), high: filled(1) },
    passes: values.filter((value) => value.kind === "score" && value.score === 1).length,
    missing,
    excluded,
  };
}

/** The values that go into an average; missing trials only when `missingAs` says what they count as. */
export function laneObservations(
  trials: readonly CountedTrial[],
  measure: Measure,
  policy: ScoringPolicy,
  missingAs?: number,
): readonly Observation[] {
  return trials.flatMap((trial) => {
    const value = policyValue(trial, policy);
    const score = value.kind === "score" ? value.score : value.kind === "missing" ? missingAs : undefined;
    if (score === undefined) return [];
    const { workflow, instance } = trial;
    return [{ workflow, instance, value: measure === "mean" ? score : Number(score === 1) }];
  });
}
