import { known, type Maybe } from "../contract/absence.ts";
import { createRandom } from "../contract/random.ts";
import type { ScoringPolicy } from "../contract/scoring-policy.ts";
import type { Estimand } from "../stats/clusters.ts";
import type { Interval } from "../stats/interval.ts";
import { pairedBootstrap } from "../stats/paired-bootstrap.ts";
import {
  type PairedSide,
  pairedDifference,
  pairedSide,
  sharedDifferences,
} from "../stats/paired-difference.ts";
import type { BoardEntry } from "./board-entry.ts";
import { type KeyDifference, keyDifferences } from "./key-differences.ts";
import { laneObservations, type Measure } from "./lane-estimate.ts";
import { type Nullable, nullable } from "./nullable.ts";

/** A difference of one measure, the second minus the first: positive is a gain. */
export type MeasureDifference = Nullable<"difference" | "low" | "high" | "p"> &
  /** A BCa interval that draws whole workflows, where one was asked for. */
  Partial<Nullable<"bootstrapLow" | "bootstrapHigh">> & {
    readonly test: string;
    readonly method: string;
    /** Instances where the second is higher, and where it is lower, repeats averaged; largest change first. */
    readonly gained: readonly string[];
    readonly lost: readonly string[];
  };

/** Two contestants, or one in two runs, on the instances they share. */
export interface Comparison {
  readonly first: string;
  readonly second: string;
  readonly estimand: Estimand;
  readonly sharedInstances: number;
  readonly sharedWorkflows: number;
  /** Instances only one side has a known score for: left out. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** Shared instances graded under other conditions on either side: left out, and why. */
  readonly notComparable: readonly string[];
  readonly differences: readonly KeyDifference[];
  readonly fullPass: MeasureDifference;
  readonly mean: MeasureDifference;
}

export interface CompareOptions {
  readonly policy: ScoringPolicy;
  /** Default `workflow`. */
  readonly estimand?: Exclude<Estimand, "trial">;
  /** Default 0.95. */
  readonly level?: number;
  /** Bootstrap intervals beside the t intervals, for differences far from normal. */
  readonly bootstrap?: { readonly resamples: number; readonly seed: number };
}

/**
 * Compares two rows where they can be compared: on shared instances graded under equal comparability keys. What is left
 * out is counted, and what differs is told field by field.
 */
export function compareEntries(first: BoardEntry, second: BoardEntry, options: CompareOptions): Comparison {
  const { policy, estimand = "workflow", level = 0.95 } = options;
  const mixed = new Set([...first.mixed, ...second.mixed]);
  const notComparable = [...first.conditions].flatMap(([instance, own]) => {
    const other = second.conditions.get(instance);
    const equal = own.comparabilityKey === other?.comparabilityKey && !mixed.has(instance);
    return other === undefined || equal ? [] : [instance];
  });
  const out = new Set(notComparable);
  const sideOf = (entry: BoardEntry, measure: Measure): PairedSide =>
    pairedSide(
      laneObservations(
        entry.trials.filter((trial) => !out.has(trial.instance)),
        measure,
        policy,
      ),
    );
  const compare = (measure: Measure): ReturnType<typeof compareSides> =>
    compareSides(sideOf(first, measure), sideOf(second, measure), {
      estimand,
      level,
      ...(options.bootstrap === undefined ? {} : { bootstrap: options.bootstrap }),
    });
  const mean = compare("mean");
  const { sharedInstances, sharedWorkflows } = mean.paired;
  return {
    first: first.contestant,
    second: second.contestant,
    estimand,
    sharedInstances,
    sharedWorkflows,
    onlyFirst: mean.paired.onlySecond,
    onlySecond: mean.paired.onlyFirst,
    notComparable,
    differences: keyDifferences(first, second),
    fullPass: compare("full-pass").measure,
    mean: mean.measure,
  };
}

function compareSides(
  first: PairedSide,
  second: PairedSide,
  {
    bootstrap,
    ...options
  }: Required<Pick<CompareOptions, "estimand" | "level">> & Pick<CompareOptions, "bootstrap">,
): { readonly paired: ReturnType<typeof pairedDifference>; readonly measure: MeasureDifference } {
  const paired = pairedDifference(second, first, { ...options, range: [0, 1] });
  const { interval } = paired;
  const changes = sharedDifferences(second, first).toSorted(
    (one, other) => Math.abs(other.value) - Math.abs(one.value) || (one.instance < other.instance ? -1 : 1),
  );
  return {
    paired,
    measure: {
      ...nullable("difference", paired.difference),
      ...nullable("low", interval.known ? known(interval.value.low) : interval),
      ...nullable("high", interval.known ? known(interval.value.high) : interval),
      ...nullable("p", paired.p),
      ...(bootstrap === undefined
        ? {}
        : bootstrapOf(
            pairedBootstrap(second, first, {
              ...options,
              resamples: bootstrap.resamples,
              random: createRandom(bootstrap.seed),
            }),
          )),
      test: paired.test,
      method: interval.known ? interval.value.method : "none",
      gained: changes.filter((change) => change.value > 0).map((change) => change.instance),
      lost: changes.filter((change) => change.value < 0).map((change) => change.instance),
    },
  };
}

function bootstrapOf(interval: Maybe<Interval>): Nullable<"bootstrapLow" | "bootstrapHigh"> {
  return {
    ...nullable("bootstrapLow", interval.known ? known(interval.value.low) : interval),
    ...nullable("bootstrapHigh", interval.known ? known(interval.value.high) : interval),
  };
}
