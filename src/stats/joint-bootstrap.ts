import { type Maybe, unknown } from "../contract/absence.ts";
import type { Random } from "../contract/random.ts";
import { type ClusterBootstrapOptions, intervalOfResamples } from "./cluster-bootstrap.ts";
import type { Cluster } from "./clusters.ts";
import { checkLevel, type Interval } from "./interval.ts";

/** Contestants summed at once in the innermost loop. */
const lanes = 4;

/**
 * Bootstrap intervals as `clusterBootstrap` makes them, for many contestants on the same workflows at once: every resample
 * draws workflows for all of them, which also keeps their ratios and differences joint. The contestants must have the same
 * workflows with the same weights, in one order: `RangeError` otherwise.
 */
export function jointBootstrap(
  contestants: readonly (readonly Cluster[])[],
  options: ClusterBootstrapOptions,
): readonly Maybe<Interval>[] {
  const { random, resamples = 10_000, level = 0.95, method = "BCa" } = options;
  checkLevel(level);
  const [first] = contestants;
  if (first === undefined) return [];
  const alike = (clusters: readonly Cluster[]): boolean =>
    clusters.length === first.length &&
    clusters.every((cluster, index) => cluster.weight === first[index]?.weight);
  if (!contestants.every(alike)) throw new RangeError("the contestants do not have the same workflows");
  if (first.length < 2) {
    const reason = unknown("one workflow: its spread to others cannot be estimated");
    return contestants.map(() => reason);
  }
  const means = resampledMeans(contestants, random, resamples);
  return contestants.map((clusters, index) =>
    intervalOfResamples(clusters, means.slice(index * resamples, (index + 1) * resamples), { level, method }),
  );
}

/** The mean of each contestant in each resample, a contestant's resamples after the other. */
function resampledMeans(
  contestants: readonly (readonly Cluster[])[],
  random: Random,
  resamples: number,
): Float64Array {
  const first = contestants[0] ?? [];
  const size = first.length;
  const [weight = 1] = first.map((cluster) => cluster.weight);
  const even = first.every((cluster) => cluster.weight === weight);
  // Where weights differ, so do their sums between resamples: a last column adds them up.
  const columns = contestants.length + (even ? 0 : 1);
  const padded = Math.ceil(columns / lanes) * lanes;
  const values = new Float64Array(padded * size);
  contestants.forEach((clusters, column) => {
    clusters.forEach(({ weight, mean }, index) => {
      values[column * size + index] = weight * mean;
    });
  });
  if (!even)
    values.set(
      first.map((cluster) => cluster.weight),
      contestants.length * size,
    );
  const means = new Float64Array(contestants.length * resamples);
  const counts = [new Float64Array(size), new Float64Array(size)] as const;
  const sums = [new Float64Array(padded), new Float64Array(padded)] as const;
  for (let resample = 0; resample < resamples; resample += 2) {
    for (const own of counts) countDraws(own, random);
    sumProducts(counts, values, sums);
    for (const [offset, totals] of sums.entries()) {
      if (resample + offset >= resamples) continue;
      const drawn = even ? weight * size : (totals[contestants.length] as number);
      for (let column = 0; column < contestants.length; column++) {
        means[column * resamples + resample + offset] = (totals[column] as number) / drawn;
      }
    }
  }
  return means;
}

/** Draws as many workflows as there are, with replacement, and counts how often each came. */
function countDraws(counts: Float64Array, random: Random): void {
  const size = counts.length;
  counts.fill(0);
  let left = size;
  // A number of 53 bits holds two draws, with less than one part in a million of bias below 2^16 workflows.
  if (size < 65_536) {
    for (; left >= 2; left -= 2) {
      const both = Math.floor(random.next() * size * size);
      const one = Math.floor(both / size);
      counts[one] = (counts[one] as number) + 1;
      const other = both - one * size;
      counts[other] = (counts[other] as number) + 1;
    }
  }
  for (; left > 0; left--) {
    const one = Math.floor(random.next() * size);
    counts[one] = (counts[one] as number) + 1;
  }
}

/**
 * Sums of counts times values for two resamples and every column. Two rows by four columns fill the registers: written out
 * because this is where a board's time goes.
 */
function sumProducts(
  [one, other]: readonly [Float64Array, Float64Array],
  values: Float64Array,
  [first, second]: readonly [Float64Array, Float64Array],
): void {
  const size = one.length;
  for (let column = 0; column < first.length; column += lanes) {
    const a = column * size;
    const b = a + size;
    const c = b + size;
    const d = c + size;
    let a1 = 0;
    let b1 = 0;
    let c1 = 0;
    let d1 = 0;
    let a2 = 0;
    let b2 = 0;
    let c2 = 0;
    let d2 = 0;
    for (let index = 0; index < size; index++) {
      const x = one[index] as number;
      const y = other[index] as number;
      const p = values[a + index] as number;
      const q = values[b + index] as number;
      const r = values[c + index] as number;
      const s = values[d + index] as number;
      a1 += x * p;
      b1 += x * q;
      c1 += x * r;
      d1 += x * s;
      a2 += y * p;
      b2 += y * q;
      c2 += y * r;
      d2 += y * s;
    }
    first[column] = a1;
    first[column + 1] = b1;
    first[column + 2] = c1;
    first[column + 3] = d1;
    second[column] = a2;
    second[column + 1] = b2;
    second[column + 2] = c2;
    second[column + 3] = d2;
  }
}
