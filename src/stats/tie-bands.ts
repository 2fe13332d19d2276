import type { Maybe } from "../contract/absence.ts";
import { holm } from "./holm.ts";

/** A comparison of the entries at two positions of the list. */
export interface BandComparison {
  readonly first: number;
  readonly second: number;
  /** First minus second. */
  readonly difference: Maybe<number>;
  /** Two-sided, before any correction. An unknown p separates nothing. */
  readonly p: Maybe<number>;
}

/** Where an entry stands, in the order the values were given. */
export interface BandPlace {
  /** 1-based; entries of one band are tied. */
  readonly band: number;
  /** Best and worst rank that the comparisons leave open, 1-based. */
  readonly rankLow: number;
  readonly rankHigh: number;
}

/**
 * Tie bands and rank intervals from all pairwise comparisons, Holm-corrected together, so that the chance of any false
 * "better than" is at most `alpha`.
 *
 * Bands have fixed anchors: the best value opens the first band, every next entry joins while it is not separated from
 * the entry that opened the band, and the first that is separated opens the next. Rank intervals count the entries shown
 * to be better and to be worse (Mogstad et al., Review of Economic Studies 91, 2024).
 * @param values descending order decides who opens a band; ties keep the order given.
 */
export function tieBands(
  values: readonly number[],
  comparisons: readonly BandComparison[],
  alpha = 0.05,
): readonly BandPlace[] {
  const better = separations(values.length, comparisons, alpha);
  const order = values
    .map((value, index) => ({ value, index }))
    .sort((one, other) => other.value - one.value || one.index - other.index);
  const bands = new Array<number>(values.length).fill(1);
  let anchor = order[0]?.index ?? 0;
  let band = 1;
  for (const { index } of order) {
    if (better[anchor]?.has(index)) {
      anchor = index;
      band += 1;
    }
    bands[index] = band;
  }
  return bands.map((own, index) => ({
    band: own,
    rankLow: 1 + better.filter((beaten) => beaten.has(index)).length,
    rankHigh: values.length - (better[index]?.size ?? 0),
  }));
}

/** For each entry, those it is shown to be better than. */
function separations(
  count: number,
  comparisons: readonly BandComparison[],
  alpha: number,
): readonly ReadonlySet<number>[] {
  const better = Array.from({ length: count }, () => new Set<number>());
  const adjusted = holm(comparisons.map(({ p }) => (p.known ? p.value : 1)));
  comparisons.forEach(({ first, second, difference }, index) => {
    if ((adjusted[index] as number) > alpha || !difference.known || difference.value === 0) return;
    if (difference.value > 0) better[first]?.add(second);
    else better[second]?.add(first);
  });
  return better;
}
