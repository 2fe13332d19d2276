/** One graded trial, as far as means are concerned. */
export interface Observation {
  /** The cluster: `domain/name`. */
  readonly workflow: string;
  /** `domain/name@variant`. */
  readonly instance: string;
  readonly value: number;
}

/**
 * What a mean is the mean of.
 * `workflow`: mean over workflows of the mean over instances of the mean over repeats: workflows weigh alike.
 * `instance`: mean over instances of the mean over repeats: instances weigh alike.
 * `trial`: mean over all trials.
 */
export type Estimand = "workflow" | "instance" | "trial";

/** One workflow's part of a weighted mean. */
export interface Cluster {
  readonly workflow: string;
  /** Positive; only the ratio to the other clusters matters. */
  readonly weight: number;
  readonly mean: number;
  readonly instances: number;
  readonly trials: number;
}

/** The words of an estimand, for reports. */
export function describeEstimand(estimand: Estimand): string {
  switch (estimand) {
    case "workflow":
      return "mean over workflows of the mean over instances of the mean over repeats";
    case "instance":
      return "mean over instances of the mean over repeats";
    case "trial":
      return "mean over trials";
  }
}

/** Sums trials up to workflows so that the weighted mean of the result is the estimand. Ordered by workflow. */
export function toClusters(observations: readonly Observation[], estimand: Estimand): readonly Cluster[] {
  const byWorkflow = new Map<string, Map<string, { sum: number; count: number }>>();
  for (const { workflow, instance, value } of observations) {
    if (!Number.isFinite(value)) throw new RangeError(`${value} on ${instance} is not a value to average`);
    let instances = byWorkflow.get(workflow);
    if (instances === undefined) {
      instances = new Map();
      byWorkflow.set(workflow, instances);
    }
    const tally = instances.get(instance);
    if (tally === undefined) instances.set(instance, { sum: value, count: 1 });
    else {
      tally.sum += value;
      tally.count += 1;
    }
  }
  return [...byWorkflow]
    .map(([workflow, instances]) => toCluster(workflow, [...instances.values()], estimand))
    .sort((first, second) => (first.workflow < second.workflow ? -1 : 1));
}

function toCluster(
  workflow: string,
  tallies: readonly { readonly sum: number; readonly count: number }[],
  estimand: Estimand,
): Cluster {
  const trials = tallies.reduce((sum, tally) => sum + tally.count, 0);
  const instances = tallies.length;
  const mean =
    estimand === "trial"
      ? tallies.reduce((sum, tally) => sum + tally.sum, 0) / trials
      : tallies.reduce((sum, tally) => sum + tally.sum / tally.count, 0) / instances;
  const weight = estimand === "workflow" ? 1 : estimand === "instance" ? instances : trials;
  return { workflow, weight, mean, instances, trials };
}

/** The weighted mean of clusters; there must be at least one. */
export function weightedMean(clusters: readonly Pick<Cluster, "weight" | "mean">[]): number {
  let sum = 0;
  let weight = 0;
  for (const cluster of clusters) {
    sum += cluster.weight * cluster.mean;
    weight += cluster.weight;
  }
  if (!(weight > 0)) throw new RangeError("no clusters to average");
  return sum / weight;
}
