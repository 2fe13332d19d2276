/**
 * Holm's step-down adjustment (Scand. J. Statist. 6, 1979): p-values that can be compared with the family-wise error
 * rate itself, in the order given.
 */
export function holm(pValues: readonly number[]): readonly number[] {
  const order = pValues.map((p, index) => ({ p, index })).sort((first, second) => first.p - second.p);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let highest = 0;
  order.forEach(({ p, index }, rank) => {
    if (!(p >= 0 && p <= 1)) throw new RangeError(`${p} is not a p-value`);
    highest = Math.max(highest, Math.min(1, (order.length - rank) * p));
    adjusted[index] = highest;
  });
  return adjusted;
}
