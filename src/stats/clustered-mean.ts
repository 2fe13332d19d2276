import { known, type Maybe, unknown } from "../contract/absence.ts";
import { type Cluster, type Estimand, type Observation, toClusters, weightedMean } from "./clusters.ts";
import { checkLevel, clipInterval, type Interval } from "./interval.ts";
import { clopperPearsonInterval } from "./proportion-interval.ts";
import { studentTQuantile } from "./student-t-distribution.ts";

/** A mean with its interval, and what it is the mean of. */
export interface ClusteredMean {
  readonly estimand: Estimand;
  readonly value: Maybe<number>;
  readonly interval: Maybe<Interval>;
  /** Of the value; unknown where the workflows show no spread. */
  readonly standardError: Maybe<number>;
  readonly workflows: number;
  readonly instances: number;
  readonly trials: number;
}

export interface ClusteredMeanOptions {
  /** Default `workflow`. */
  readonly estimand?: Estimand;
  /** Default 0.95. */
  readonly level?: number;
  /** Range the values lie in, such as [0, 1]: the interval is cut to it, and a mean at its end still gets an interval. */
  readonly range?: readonly [low: number, high: number];
}

/**
 * A mean over workflows with the t interval from cluster-robust standard errors (CR1, G - 1 degrees of freedom; Liang
 * and Zeger, Biometrika 73, 1986). Repeats and instances of a workflow may depend on each other in any way.
 *
 * Where all workflows have the same mean that spread is no evidence of certainty: at an end of `range` the interval is
 * that of Clopper and Pearson over workflows, which bounds the mean of any variable in the range; elsewhere, and with one
 * workflow, the interval is unknown, with the reason.
 */
export function clusteredMean(
  observations: readonly Observation[],
  options: ClusteredMeanOptions = {},
): ClusteredMean {
  const { estimand = "workflow" } = options;
  return meanOfClusters(toClusters(observations, estimand), { ...options, estimand });
}

/** The same from workflows already summed up for the estimand. */
export function meanOfClusters(
  clusters: readonly Cluster[],
  options: ClusteredMeanOptions & { readonly estimand: Estimand },
): ClusteredMean {
  const { estimand, level = 0.95, range } = options;
  checkLevel(level);
  const counts = {
    estimand,
    workflows: clusters.length,
    instances: clusters.reduce((sum, cluster) => sum + cluster.instances, 0),
    trials: clusters.reduce((sum, cluster) => sum + cluster.trials, 0),
  };
  if (clusters.length === 0) {
    const nothing = unknown("no trials");
    return { ...counts, value: nothing, interval: nothing, standardError: nothing };
  }
  const value = weightedMean(clusters);
  const standardError = clusterStandardError(clusters);
  const interval = standardError.known
    ? known(tInterval(value, standardError.value, clusters.length - 1, level))
    : boundaryInterval(clusters, value, level, range, standardError.reason);
  return {
    ...counts,
    value: known(value),
    standardError,
    interval:
      interval.known && range !== undefined
        ? known(clipInterval(interval.value, range[0], range[1]))
        : interval,
  };
}

/**
 * The CR1 standard error of a weighted mean of clusters: sqrt(G / (G - 1) · Σ (w (m - mean))²) with weights that sum
 * to 1. Unknown with one cluster, or when all means are equal.
 */
export function clusterStandardError(clusters: readonly Cluster[]): Maybe<number> {
  if (clusters.length < 2) return unknown("one workflow: its spread to others cannot be estimated");
  const mean = weightedMean(clusters);
  const total = clusters.reduce((sum, cluster) => sum + cluster.weight, 0);
  let squares = 0;
  let largest = 0;
  for (const cluster of clusters) {
    squares += ((cluster.weight / total) * (cluster.mean - mean)) ** 2;
    largest = Math.max(largest, Math.abs(cluster.mean));
  }
  const error = Math.sqrt((squares * clusters.length) / (clusters.length - 1));
  // Means that differ by rounding alone are equal.
  if (error <= largest * 1e-13)
    return unknown(`all ${clusters.length} workflows have the same mean: no spread to estimate from`);
  return known(error);
}

function tInterval(value: number, error: number, degrees: number, level: number): Interval {
  const reach = studentTQuantile((1 + level) / 2, degrees) * error;
  return { low: value - reach, high: value + reach, level, method: "cluster-robust t (CR1)" };
}

function boundaryInterval(
  clusters: readonly Cluster[],
  value: number,
  level: number,
  range: readonly [low: number, high: number] | undefined,
  reason: string,
): Maybe<Interval> {
  if (clusters.length < 2 || range === undefined) return unknown(reason);
  const [low, high] = range;
  const atEnd = value <= low ? 0 : value >= high ? clusters.length : undefined;
  if (atEnd === undefined) return unknown(reason);
  const share = clopperPearsonInterval(atEnd, clusters.length, level);
  if (!share.known) return share;
  return known({
    low: low + share.value.low * (high - low),
    high: low + share.value.high * (high - low),
    level,
    method: "Clopper-Pearson over workflows",
  });
}
