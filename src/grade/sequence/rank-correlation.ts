import { AleError } from "../../contract/ale-error.ts";

/** Ranks from 1, smallest first; equal values share the mean of their ranks. */
export function averageRanks(values: readonly number[]): number[] {
  const order = values.map((_value, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Array<number>(values.length).fill(0);
  let from = 0;
  while (from < order.length) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1] ?? 0] === values[order[from] ?? 0]) to++;
    for (let index = from; index <= to; index++) ranks[order[index] ?? 0] = (from + to) / 2 + 1;
    from = to + 1;
  }
  return ranks;
}

/**
 * Spearman's rank correlation in [−1, 1]: Pearson's correlation of the average ranks. `undefined` for fewer than
 * two values or when all of a list are tied. Throws an `AleError` coded `rank-misuse` for lists of different
 * length or values that are not finite.
 */
export function spearman(first: readonly number[], second: readonly number[]): number | undefined {
  requirePairs(first, second);
  const a = averageRanks(first);
  const b = averageRanks(second);
  const mean = (first.length + 1) / 2;
  let covariance = 0;
  let varianceA = 0;
  let varianceB = 0;
  for (let index = 0; index < a.length; index++) {
    const deviationA = (a[index] ?? 0) - mean;
    const deviationB = (b[index] ?? 0) - mean;
    covariance += deviationA * deviationB;
    varianceA += deviationA * deviationA;
    varianceB += deviationB * deviationB;
  }
  return ratio(covariance, varianceA, varianceB);
}

/**
 * Kendall's tau-b in [−1, 1], which corrects for ties (Kendall, 1945); time O(n²). `undefined` and errors as
 * {@link spearman}.
 */
export function kendallTau(first: readonly number[], second: readonly number[]): number | undefined {
  requirePairs(first, second);
  let agreement = 0;
  let untiedFirst = 0;
  let untiedSecond = 0;
  for (let left = 0; left < first.length; left++) {
    for (let right = left + 1; right < first.length; right++) {
      const a = Math.sign((first[left] ?? 0) - (first[right] ?? 0));
      const b = Math.sign((second[left] ?? 0) - (second[right] ?? 0));
      agreement += a * b;
      untiedFirst += a * a;
      untiedSecond += b * b;
    }
  }
  return ratio(agreement, untiedFirst, untiedSecond);
}

/** numerator / √(a·b), exactly ±1 where it should be. */
function ratio(numerator: number, a: number, b: number): number | undefined {
  if (a === 0 || b === 0) return undefined;
  if (a === b && Math.abs(numerator) === a) return Math.sign(numerator);
  return Math.min(1, Math.max(-1, numerator / Math.sqrt(a * b)));
}

function requirePairs(first: readonly number[], second: readonly number[]): void {
  if (first.length === second.length && [...first, ...second].every(Number.isFinite)) return;
  throw new AleError({
    code: "rank-misuse",
    message: `Cannot correlate lists of ${first.length} and ${second.length} values.`,
    remedy: "Give two lists of finite numbers, one value of each per item.",
  });
}
