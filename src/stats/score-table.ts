import type { Cluster, Estimand, Observation } from "./clusters.ts";
import type { SharedSums } from "./paired-difference.ts";

/** Scores of many contestants on one list of instances, summed up by cell: compact, and quick to compare. */
export interface ScoreTable {
  readonly contestants: number;
  readonly instances: number;
  /** Names of workflows, in order. */
  readonly workflows: readonly string[];
  /** Position in `workflows`, by instance. */
  readonly workflowOf: Int32Array;
  /** By contestant and instance, a contestant's row after the other. */
  readonly sums: Float64Array;
  readonly counts: Uint32Array;
  /** 1 where some value was neither 0 nor 1. */
  readonly graded: Uint8Array;
}

/** An empty table for so many contestants on instances of these workflows. */
export function createScoreTable(contestants: number, workflowByInstance: readonly string[]): ScoreTable {
  const workflows = [...new Set(workflowByInstance)].sort();
  const position = new Map(workflows.map((workflow, index) => [workflow, index]));
  const instances = workflowByInstance.length;
  return {
    contestants,
    instances,
    workflows,
    workflowOf: Int32Array.from(workflowByInstance, (workflow) => position.get(workflow) ?? -1),
    sums: new Float64Array(contestants * instances),
    counts: new Uint32Array(contestants * instances),
    graded: new Uint8Array(contestants * instances),
  };
}

/** Adds one trial's value to its cell. `RangeError` for a value that cannot be averaged or a place outside the table. */
export function addScore(table: ScoreTable, contestant: number, instance: number, value: number): void {
  const inside =
    contestant >= 0 && contestant < table.contestants && instance >= 0 && instance < table.instances;
  if (!inside || !Number.isFinite(value)) {
    throw new RangeError(`${value} cannot stand at contestant ${contestant}, instance ${instance}`);
  }
  const cell = contestant * table.instances + instance;
  table.sums[cell] = (table.sums[cell] as number) + value;
  table.counts[cell] = (table.counts[cell] as number) + 1;
  if (value !== 0 && value !== 1) table.graded[cell] = 1;
}

/** A table of contestants' observations, on every instance that any of them has. */
export function scoreTableOf(sides: readonly (readonly Observation[])[]): ScoreTable {
  const workflows = new Map<string, string>();
  for (const side of sides) for (const { instance, workflow } of side) workflows.set(instance, workflow);
  const table = createScoreTable(sides.length, [...workflows.values()]);
  const position = new Map([...workflows.keys()].map((instance, index) => [instance, index]));
  sides.forEach((side, contestant) => {
    for (const { instance, value } of side) addScore(table, contestant, position.get(instance) ?? -1, value);
  });
  return table;
}

/** One contestant's workflows, summed up so that the weighted mean of the result is the estimand. Ordered by workflow. */
export function tableClusters(table: ScoreTable, contestant: number, estimand: Estimand): readonly Cluster[] {
  const size = table.workflows.length;
  const [sums, trials, instances] = [new Float64Array(size), new Uint32Array(size), new Uint32Array(size)];
  const start = contestant * table.instances;
  for (let instance = 0; instance < table.instances; instance++) {
    const count = table.counts[start + instance] as number;
    if (count === 0) continue;
    const workflow = table.workflowOf[instance] as number;
    const sum = table.sums[start + instance] as number;
    sums[workflow] = (sums[workflow] as number) + (estimand === "trial" ? sum : sum / count);
    trials[workflow] = (trials[workflow] as number) + count;
    instances[workflow] = (instances[workflow] as number) + 1;
  }
  return table.workflows.flatMap((workflow, index): Cluster[] => {
    const [trialCount, instanceCount] = [trials[index] as number, instances[index] as number];
    if (trialCount === 0) return [];
    const mean = (sums[index] as number) / (estimand === "trial" ? trialCount : instanceCount);
    const weight = estimand === "workflow" ? 1 : estimand === "instance" ? instanceCount : trialCount;
    return [{ workflow, weight, mean, instances: instanceCount, trials: trialCount }];
  });
}

/** First minus second on every instance that both have, summed up by workflow for `differenceOfSums`. */
export function tableDifferences(
  table: ScoreTable,
  first: number,
  second: number,
  estimand: Exclude<Estimand, "trial">,
): SharedSums {
  const size = table.workflows.length;
  const [sums, instances] = [new Float64Array(size), new Uint32Array(size)];
  const { counts, graded, instances: length } = table;
  const [one, other] = [first * length, second * length];
  let [higher, lower, singleBinary] = [0, 0, true];
  let [firstSize, secondSize] = [0, 0];
  for (let instance = 0; instance < length; instance++) {
    const firstCount = counts[one + instance] as number;
    const secondCount = counts[other + instance] as number;
    if (firstCount > 0) firstSize += 1;
    if (secondCount > 0) secondSize += 1;
    if (firstCount === 0 || secondCount === 0) continue;
    const difference =
      (table.sums[one + instance] as number) / firstCount -
      (table.sums[other + instance] as number) / secondCount;
    if (difference > 0) higher += 1;
    else if (difference < 0) lower += 1;
    const single = firstCount === 1 && secondCount === 1;
    singleBinary &&= single && graded[one + instance] === 0 && graded[other + instance] === 0;
    const workflow = table.workflowOf[instance] as number;
    sums[workflow] = (sums[workflow] as number) + difference;
    instances[workflow] = (instances[workflow] as number) + 1;
  }
  const clusters: Cluster[] = [];
  for (let index = 0; index < size; index++) {
    const count = instances[index] as number;
    if (count === 0) continue;
    const weight = estimand === "workflow" ? 1 : count;
    const mean = (sums[index] as number) / count;
    clusters.push({
      workflow: table.workflows[index] as string,
      weight,
      mean,
      instances: count,
      trials: count,
    });
  }
  return { clusters, higher, lower, singleBinary, firstSize, secondSize };
}
