import type { Outcome } from "../outcome.ts";
import { quote } from "../quote.ts";
import { expectedNumber } from "./expected-number.ts";
import { numberText, numberTexts } from "./number-text.ts";
import { type Tolerance, withinTolerance } from "./tolerance.ts";

/**
 * 1 when `actual` is a finite number within the {@link Tolerance} of `expected`, else 0. `NaN`, infinities and
 * anything that is no number (a text of digits too) never pass.
 */
export function closeTo(actual: unknown, expected: number, tolerance: Tolerance = {}): Outcome {
  const wanted = expectedNumber(expected);
  if (typeof actual !== "number" || !Number.isFinite(actual)) {
    return { score: 0, message: `Expected a number near ${numberText(wanted)}, found ${describe(actual)}.` };
  }
  const passes = withinTolerance(actual, wanted, tolerance);
  const [found, target] = numberTexts(
    [actual, wanted],
    ([shown = actual, aim = wanted]) => withinTolerance(shown, aim, tolerance) === passes,
  );
  const message = passes ? `${found} is close enough to ${target}.` : `Expected ${target}, found ${found}.`;
  return { score: passes ? 1 : 0, message, evidence: { expected: wanted, actual } };
}

function describe(value: unknown): string {
  if (typeof value === "string") return `the text ${quote(value)}`;
  if (typeof value === "number") return String(value);
  return value === null || value === undefined ? "none" : `a value of type ${typeof value}`;
}
