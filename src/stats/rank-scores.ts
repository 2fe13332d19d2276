import { known, type Maybe, unknown } from "../contract/absence.ts";
import type { Random } from "../contract/random.ts";
import { clusterBootstrap } from "./cluster-bootstrap.ts";
import { type ClusteredMean, meanOfClusters } from "./clustered-mean.ts";
import type { Cluster, Estimand } from "./clusters.ts";
import type { Interval } from "./interval.ts";
import { jointBootstrap } from "./joint-bootstrap.ts";
import { differenceOfSums } from "./paired-difference.ts";
import { type ScoreTable, tableClusters, tableDifferences } from "./score-table.ts";
import { type BandComparison, type BandPlace, tieBands } from "./tie-bands.ts";

export interface RankScoresOptions {
  readonly estimand: Exclude<Estimand, "trial">;
  readonly level: number;
  /** Range of the values. */
  readonly range: readonly [low: number, high: number];
  /** Bootstrap intervals beside the t intervals. */
  readonly bootstrap?: { readonly random: Random; readonly resamples: number };
}

/** What a board says of one contestant. */
export interface RankedScore {
  readonly estimate: ClusteredMean;
  /** Unknown as well when none was asked for. */
  readonly bootstrap: Maybe<Interval>;
  readonly place: Maybe<BandPlace>;
}

/**
 * Estimates every contestant of a table and ranks them as far as chance allows: all pairs on shared instances,
 * Holm-corrected together. In the table's order.
 */
export function rankScores(table: ScoreTable, options: RankScoresOptions): readonly RankedScore[] {
  const { estimand, level, range } = options;
  const clusters = Array.from({ length: table.contestants }, (_, contestant) =>
    tableClusters(table, contestant, estimand),
  );
  const estimates = clusters.map((own) => meanOfClusters(own, { estimand, level, range }));
  const bootstrap = bootstrapIntervals(clusters, options);
  const order = estimates.flatMap(({ value }, index) => (value.known ? [{ index, value: value.value }] : []));
  const comparisons = order.flatMap((one, first) =>
    order.slice(first + 1).map((other, offset): BandComparison => {
      const shared = tableDifferences(table, one.index, other.index, estimand);
      const { difference, p } = differenceOfSums(shared, { estimand, level, range });
      return { first, second: first + 1 + offset, difference, p };
    }),
  );
  const values = order.map(({ value }) => value);
  const places = new Map(
    tieBands(values, comparisons, 1 - level).map((place, index) => [order[index]?.index, place]),
  );
  return estimates.map((estimate, index): RankedScore => {
    const place = places.get(index);
    return {
      estimate,
      bootstrap: bootstrap[index] ?? unknown("none was asked for"),
      place: place === undefined ? unknown("a row without a value is not ranked") : known(place),
    };
  });
}

/** Contestants with the same workflows and weights are drawn together; the others alone. */
function bootstrapIntervals(
  clusters: readonly (readonly Cluster[])[],
  { bootstrap, level }: RankScoresOptions,
): readonly Maybe<Interval>[] {
  if (bootstrap === undefined) return [];
  const groups = Map.groupBy(clusters.keys(), (index) =>
    (clusters[index] ?? []).map(({ workflow, weight }) => `${workflow} ${weight}`).join("\n"),
  );
  const intervals: Maybe<Interval>[] = [];
  let number = 0;
  for (const group of groups.values()) {
    const own = group.map((index) => clusters[index] ?? []);
    number += 1;
    const options = { ...bootstrap, level, random: bootstrap.random.fork(`group ${number}`) };
    const made =
      own.length > 1 ? jointBootstrap(own, options) : own.map((one) => clusterBootstrap(one, options));
    group.forEach((index, place) => {
      intervals[index] = made[place] ?? unknown("no workflows");
    });
  }
  return intervals;
}
