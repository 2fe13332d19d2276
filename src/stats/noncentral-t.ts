import { incompleteBeta } from "./incomplete-beta.ts";
import { logGamma } from "./log-gamma.ts";
import { normalCdf } from "./normal-distribution.ts";

/**
 * P(T <= t) of the noncentral t distribution with `degrees` of freedom and noncentrality `shift`, |shift| <= 37.
 * The Poisson-weighted series of Lenth (Applied Statistics 38, 1989, AS 243), to about 1e-10.
 */
export function noncentralTCdf(t: number, degrees: number, shift: number): number {
  if (!(degrees > 0)) throw new RangeError(`degrees of freedom must be positive, not ${degrees}`);
  if (!(Math.abs(shift) <= 37)) throw new RangeError(`noncentrality ${shift} is too large for the series`);
  if (t < 0) return 1 - upperCdf(-t, degrees, -shift);
  return upperCdf(t, degrees, shift);
}

function upperCdf(t: number, degrees: number, shift: number): number {
  const base = normalCdf(-shift);
  if (t === 0 || shift === 0) {
    return t === 0 ? base : 1 - incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
  }
  const x = (t * t) / (t * t + degrees);
  const rest = degrees / (t * t + degrees);
  const half = (shift * shift) / 2;
  // Terms are summed outwards from the Poisson mode, where the weights are largest.
  const mode = Math.floor(half);
  let sum = 0;
  for (const step of [1, -1]) {
    for (let j = step === 1 ? mode : mode - 1; j >= 0; j += step) {
      const logHalf = -half + j * Math.log(half);
      const p = Math.exp(logHalf - logGamma(j + 1));
      const q = (shift / Math.SQRT2) * Math.exp(logHalf - logGamma(j + 1.5));
      const term =
        p * incompleteBeta(x, j + 0.5, degrees / 2, rest) + q * incompleteBeta(x, j + 1, degrees / 2, rest);
      sum += term;
      if (p + Math.abs(q) < 1e-16) break;
    }
  }
  return base + sum / 2;
}
