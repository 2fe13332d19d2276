import { known, type Maybe, unknown } from "../contract/absence.ts";
import { type ClusteredMean, meanOfClusters } from "./clustered-mean.ts";
import type { Cluster, Estimand, Observation } from "./clusters.ts";
import type { Interval } from "./interval.ts";
import { mcnemarExact } from "./mcnemar.ts";
import { studentTTail } from "./student-t-distribution.ts";

/** Two contestants on the instances they share: the first minus the second. */
export interface PairedDifference {
  readonly estimand: Estimand;
  readonly difference: Maybe<number>;
  readonly interval: Maybe<Interval>;
  /** Two-sided, of no difference; unknown when it cannot be tested. */
  readonly p: Maybe<number>;
  /** The test's usual name. */
  readonly test: string;
  readonly sharedInstances: number;
  readonly sharedWorkflows: number;
  /** Instances only one of the two has, left out of the comparison. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
}

export interface PairedDifferenceOptions {
  /** `workflow` (default) or `instance`; repeats are averaged first, so that pairs are instances. */
  readonly estimand?: Exclude<Estimand, "trial">;
  /** Default 0.95. */
  readonly level?: number;
  /** Range of the values themselves, such as [0, 1]. */
  readonly range?: readonly [low: number, high: number];
}

/**
 * Compares on shared instances. The interval is the cluster-robust t interval of the differences. The test: exact
 * McNemar where every shared instance has one run of 0 or 1 on each side; else the t test of that interval; where all
 * workflows differ by the same amount, an exact sign test over instances.
 */
export function pairedDifference(
  first: PairedSide,
  second: PairedSide,
  options: PairedDifferenceOptions = {},
): PairedDifference {
  return differenceOfSums(sumUp(first, second, options.estimand ?? "workflow"), options);
}

/** The comparison from shared instances already summed up by workflow, for the same estimand. */
export function differenceOfSums(
  shared: SharedSums,
  options: PairedDifferenceOptions = {},
): PairedDifference {
  const { estimand = "workflow", level = 0.95, range } = options;
  const span = range === undefined ? undefined : range[1] - range[0];
  const overall = meanOfClusters(shared.clusters, {
    estimand,
    level,
    ...(span === undefined ? {} : { range: [-span, span] as const }),
  });
  const counts = {
    estimand,
    sharedInstances: overall.instances,
    sharedWorkflows: overall.workflows,
    onlyFirst: shared.firstSize - overall.instances,
    onlySecond: shared.secondSize - overall.instances,
  };
  if (!overall.value.known) {
    const nothing = unknown("no shared instances");
    return { ...counts, difference: nothing, interval: nothing, p: nothing, test: "none" };
  }
  return { ...counts, difference: overall.value, interval: overall.interval, ...test(shared, overall) };
}

/** First minus second on every shared instance, repeats averaged. */
export function sharedDifferences(first: PairedSide, second: PairedSide): readonly Observation[] {
  const differences: Observation[] = [];
  for (const [instance, one] of first) {
    const other = second.get(instance);
    if (other === undefined) continue;
    differences.push({ workflow: one.workflow, instance, value: mean(one) - mean(other) });
  }
  return differences;
}

/** One contestant's runs of one instance, summed up. */
interface Tally {
  readonly workflow: string;
  sum: number;
  count: number;
  binary: boolean;
}

/** One contestant's side of comparisons, made once by {@link pairedSide}. */
export type PairedSide = ReadonlyMap<string, Readonly<Tally>>;

/** The shared instances, counted and averaged by workflow in one pass: a board makes thousands of comparisons. */
export interface SharedSums {
  readonly clusters: readonly Cluster[];
  /** Instances where the first is higher, and where it is lower. */
  readonly higher: number;
  readonly lower: number;
  /** Every shared instance has one run of 0 or 1 on each side. */
  readonly singleBinary: boolean;
  /** Instances that each side has, shared or not. */
  readonly firstSize: number;
  readonly secondSize: number;
}

function sumUp(first: PairedSide, second: PairedSide, estimand: Exclude<Estimand, "trial">): SharedSums {
  const byWorkflow = new Map<string, { sum: number; count: number }>();
  let higher = 0;
  let lower = 0;
  let singleBinary = true;
  for (const [instance, one] of first) {
    const other = second.get(instance);
    if (other === undefined) continue;
    const difference = mean(one) - mean(other);
    if (difference > 0) higher += 1;
    else if (difference < 0) lower += 1;
    singleBinary &&= one.binary && other.binary && one.count === 1 && other.count === 1;
    const sums = byWorkflow.get(one.workflow);
    if (sums === undefined) byWorkflow.set(one.workflow, { sum: difference, count: 1 });
    else {
      sums.sum += difference;
      sums.count += 1;
    }
  }
  const clusters = Array.from(byWorkflow, ([workflow, { sum, count }]): Cluster => {
    const weight = estimand === "workflow" ? 1 : count;
    return { workflow, weight, mean: sum / count, instances: count, trials: count };
  });
  return { clusters, higher, lower, singleBinary, firstSize: first.size, secondSize: second.size };
}

function test(
  shared: SharedSums,
  overall: ClusteredMean,
): { readonly p: Maybe<number>; readonly test: string } {
  const { higher, lower } = shared;
  if (shared.singleBinary) return { p: known(mcnemarExact(higher, lower)), test: "exact McNemar" };
  if (overall.value.known && overall.standardError.known) {
    const t = Math.abs(overall.value.value) / overall.standardError.value;
    return {
      p: known(Math.min(1, 2 * studentTTail(t, overall.workflows - 1))),
      test: "cluster-robust t (CR1)",
    };
  }
  if (overall.workflows < 2) {
    return { p: unknown("one shared workflow: its spread cannot be estimated"), test: "none" };
  }
  return { p: known(mcnemarExact(higher, lower)), test: "exact sign test over instances" };
}

/** Sums a contestant's trials up by instance, ready to be compared with any number of others. */
export function pairedSide(observations: readonly Observation[]): PairedSide {
  const tallies = new Map<string, Tally>();
  for (const { workflow, instance, value } of observations) {
    const binary = value === 0 || value === 1;
    const tally = tallies.get(instance);
    if (tally === undefined) tallies.set(instance, { workflow, sum: value, count: 1, binary });
    else {
      tally.sum += value;
      tally.count += 1;
      tally.binary &&= binary;
    }
  }
  return tallies;
}

function mean(tally: Readonly<Tally>): number {
  return tally.sum / tally.count;
}
