/**
 * Quantile of ascending values, linear between neighbours (type 7 of Hyndman and Fan, Am. Stat. 50, 1996; R's default).
 * `RangeError` on an empty list.
 */
export function sortedQuantile(sorted: ArrayLike<number>, probability: number): number {
  if (sorted.length === 0) throw new RangeError("no values to take a quantile of");
  const position = Math.min(1, Math.max(0, probability)) * (sorted.length - 1);
  const index = Math.floor(position);
  const lower = sorted[index] as number;
  const upper = sorted[Math.min(index + 1, sorted.length - 1)] as number;
  return lower + (position - index) * (upper - lower);
}
