import type { Maybe } from "../contract/absence.ts";
import { type ClusterBootstrapOptions, clusterBootstrap } from "./cluster-bootstrap.ts";
import { type Estimand, toClusters } from "./clusters.ts";
import type { Interval } from "./interval.ts";
import { type PairedSide, sharedDifferences } from "./paired-difference.ts";

export interface PairedBootstrapOptions extends ClusterBootstrapOptions {
  /** Default `workflow`. */
  readonly estimand?: Exclude<Estimand, "trial">;
}

/**
 * A bootstrap interval of the difference on shared instances that draws whole workflows: beside the t interval of
 * `pairedDifference`, for differences far from normal.
 */
export function pairedBootstrap(
  first: PairedSide,
  second: PairedSide,
  { estimand = "workflow", ...options }: PairedBootstrapOptions,
): Maybe<Interval> {
  return clusterBootstrap(toClusters(sharedDifferences(first, second), estimand), options);
}
