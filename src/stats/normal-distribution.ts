/** Density of the standard normal distribution. */
export function normalDensity(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

/**
 * P(Z <= z) of the standard normal distribution, about 1e-14 relative in the lower tail as well: Abramowitz and Stegun
 * 26.2.11 (power series) near zero, 26.2.14 (Laplace's continued fraction) in the tails.
 */
export function normalCdf(z: number): number {
  const distance = Math.abs(z);
  if (distance < 2) {
    let term = z;
    let sum = z;
    for (let k = 3; Math.abs(term) > Math.abs(sum) * 1e-17; k += 2) {
      term *= (z * z) / k;
      sum += term;
    }
    return 0.5 + normalDensity(z) * sum;
  }
  let fraction = distance;
  for (let k = Math.ceil(20 + 1200 / (distance * distance)); k > 0; k--) fraction = distance + k / fraction;
  const tail = normalDensity(distance) / fraction;
  return z < 0 ? tail : 1 - tail;
}

/**
 * The z with P(Z <= z) = probability. A start from Abramowitz and Stegun 26.2.23, then Newton steps on the logarithm of
 * the tail. `RangeError` outside (0, 1).
 */
export function normalQuantile(probability: number): number {
  if (!(probability > 0 && probability < 1)) throw new RangeError(`${probability} is not inside (0, 1)`);
  if (probability === 0.5) return 0;
  if (probability > 0.5) return -normalQuantile(1 - probability);
  const t = Math.sqrt(-2 * Math.log(probability));
  let z =
    (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (let step = 0; step < 6; step++) {
    const cdf = normalCdf(z);
    const change = (Math.log(cdf / probability) * cdf) / normalDensity(z);
    z -= change;
    if (Math.abs(change) < 1e-15 * Math.abs(z)) break;
  }
  return z;
}
