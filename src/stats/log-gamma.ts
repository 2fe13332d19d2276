/** Coefficients B(2k) / (2k (2k - 1)) of Stirling's series, from Bernoulli's numbers. */
const stirling: readonly number[] = [
  1 / 12,
  -1 / 360,
  1 / 1260,
  -1 / 1680,
  1 / 1188,
  -691 / 360360,
  1 / 156,
  -3617 / 122400,
];

/**
 * Natural logarithm of Γ(x) for x > 0, to about 1e-14 (relative, or absolute near the zeros at 1 and 2).
 * Stirling's series, reached from below by Γ(x + 1) = x Γ(x). `RangeError` for any other x.
 */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`log gamma needs a positive number, not ${x}`);
  let product = 1;
  let shifted = x;
  while (shifted < 12) {
    product *= shifted;
    shifted += 1;
  }
  const inverse = 1 / shifted;
  const square = inverse * inverse;
  let series = 0;
  for (const coefficient of stirling.toReversed()) series = series * square + coefficient;
  return (
    (shifted - 0.5) * Math.log(shifted) -
    shifted +
    0.5 * Math.log(2 * Math.PI) +
    series * inverse -
    Math.log(product)
  );
}
