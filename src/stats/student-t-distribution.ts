import { betaQuantile, incompleteBeta } from "./incomplete-beta.ts";

/** P(T <= t) of Student's t with `degrees` > 0 of freedom (DLMF 8.17; Abramowitz and Stegun 26.7.1). */
export function studentTCdf(t: number, degrees: number): number {
  const tail = studentTTail(Math.abs(t), degrees);
  return t < 0 ? tail : 1 - tail;
}

/** P(T > t) for t >= 0, without loss in the far tail. */
export function studentTTail(t: number, degrees: number): number {
  if (!(degrees > 0)) throw new RangeError(`degrees of freedom must be positive, not ${degrees}`);
  if (t === Number.POSITIVE_INFINITY) return 0;
  const square = t * t;
  const x = degrees / (degrees + square);
  return incompleteBeta(x, degrees / 2, 0.5, square / (degrees + square)) / 2;
}

/** The t with P(T <= t) = probability. `RangeError` outside (0, 1). */
export function studentTQuantile(probability: number, degrees: number): number {
  if (!(probability > 0 && probability < 1)) throw new RangeError(`${probability} is not inside (0, 1)`);
  if (probability === 0.5) return 0;
  return probability < 0.5 ? -upperQuantile(probability, degrees) : upperQuantile(1 - probability, degrees);
}

/** The t > 0 with P(T > t) = tail, for a tail below one half. */
function upperQuantile(tail: number, degrees: number): number {
  if (tail > 0.25) {
    const complement = betaQuantile(1 - 2 * tail, 0.5, degrees / 2);
    return Math.sqrt((degrees * complement) / (1 - complement));
  }
  const x = betaQuantile(2 * tail, degrees / 2, 0.5);
  return Math.sqrt((degrees * (1 - x)) / x);
}
