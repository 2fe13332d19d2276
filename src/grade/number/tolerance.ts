import { AleError } from "../../contract/ale-error.ts";

/**
 * How far a number may be off. A number passes when it meets *any* of the bounds given (as Python's `math.isclose`
 * does), each inclusive. Without any bound it must be equal.
 */
export interface Tolerance {
  /** |actual − expected| ≤ absolute, in the number's unit. */
  readonly absolute?: number;
  /** |actual − expected| ≤ relative · |expected|; 0.01 is one per cent. Never met around an expected 0. */
  readonly relative?: number;
  /** Right to so many significant digits: off by at most half a unit of the expected's last one of them. */
  readonly significantDigits?: number;
}

/**
 * The largest deviation from `expected` that the tolerance allows, before rounding slack.
 * Throws an `AleError` coded `tolerance` for a negative or non-finite bound or digits outside 1–15.
 */
export function allowedDeviation(expected: number, tolerance: Tolerance): number {
  const { absolute = 0, relative = 0, significantDigits } = tolerance;
  const digitsFit =
    significantDigits === undefined ||
    (Number.isInteger(significantDigits) && significantDigits >= 1 && significantDigits <= 15);
  if (!(absolute >= 0 && relative >= 0 && Number.isFinite(absolute + relative) && digitsFit)) {
    throw new AleError({
      code: "tolerance",
      message: `Not a tolerance: ${JSON.stringify(tolerance)}.`,
      remedy: "Give absolute and relative ≥ 0, and significantDigits from 1 to 15.",
    });
  }
  let allowed = Math.max(absolute, relative * Math.abs(expected));
  if (significantDigits !== undefined && expected !== 0) {
    const exponent = Number(expected.toExponential().split("e")[1]);
    allowed = Math.max(allowed, Number(`5e${exponent - significantDigits}`));
  }
  return allowed;
}

/**
 * Whether two finite numbers are within the tolerance. Bounds are meant in decimal, so they are widened by four
 * units in the last place: 1.1 is within 0.1 of 1 although its double is a hair further off.
 */
export function withinTolerance(actual: number, expected: number, tolerance: Tolerance): boolean {
  if (!Number.isFinite(actual) || !Number.isFinite(expected)) return false;
  if (actual === expected) return true;
  const allowed = allowedDeviation(expected, tolerance);
  if (allowed === 0) return false;
  const slack = 4 * Number.EPSILON * Math.max(Math.abs(actual), Math.abs(expected));
  return Math.abs(actual - expected) <= allowed + slack;
}
