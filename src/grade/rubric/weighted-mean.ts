/** A value in [0, 1] and its weight, ≥ 0. */
export interface Weighted {
  readonly weight: number;
  readonly score: number;
}

/** The largest double below 1. */
const nextBelowOne = 1 - Number.EPSILON / 2;

/**
 * Σ w·s / Σ w over the items whose weight is above 0, safe at the ends: exactly 1 only when each of them is 1,
 * exactly 0 only when each is 0, whatever the rounding. `undefined` when nothing weighs anything.
 */
export function weightedMean(items: readonly Weighted[]): number | undefined {
  const counted = items.filter((item) => item.weight > 0);
  if (counted.length === 0) return undefined;
  if (counted.every((item) => item.score === 1)) return 1;
  if (counted.every((item) => item.score === 0)) return 0;
  let sum = 0;
  let total = 0;
  for (const { weight, score } of counted) {
    sum += weight * score;
    total += weight;
  }
  return Math.min(Math.max(sum / total, Number.MIN_VALUE), nextBelowOne);
}
