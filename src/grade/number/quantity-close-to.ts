import { AleError } from "../../contract/ale-error.ts";
import type { Outcome } from "../outcome.ts";
import { quote } from "../quote.ts";
import { closeTo } from "./close-to.ts";
import { convertUnit, isKnownUnit } from "./convert-unit.ts";
import { type NumberFormat, parseQuantity, type Quantity } from "./parse-quantity.ts";
import type { Tolerance } from "./tolerance.ts";

export interface QuantityOptions extends NumberFormat {
  /** In the expected unit. */
  readonly tolerance?: Tolerance;
  /** A number without unit: `fail` (default), or `assume` the expected unit. */
  readonly missingUnit?: "fail" | "assume";
}

/**
 * 1 when the text is a number with a unit that, converted to the expected unit, is within the tolerance; else 0.
 * Per cent is a unit of the plain number: with an expected 12 %, `12 %` and `0.12` pass and `12` does not, unless
 * `missingUnit` is `assume`, when `12` passes and `0.12` does not. An expected unit that is not in the table (a
 * currency, say) must be written the same.
 */
export function quantityCloseTo(actual: string, expected: Quantity, options: QuantityOptions = {}): Outcome {
  const read = parseQuantity(actual, options);
  if (read.kind === "bad") return read.outcome;
  const { value, unit } = read.value;
  if (!Number.isFinite(expected.value)) {
    throw new AleError({
      code: "broken-reference",
      message: `The expected quantity is ${expected.value} ${expected.unit}.`,
      remedy: "Give a finite number.",
    });
  }
  const assumed = unit === "" && options.missingUnit === "assume" ? expected.unit : unit;
  const converted = convertUnit(value, assumed, expected.unit);
  if (converted === undefined) {
    const found = unit === "" ? "no unit" : `the ${isKnownUnit(unit) ? "" : "unknown "}unit ${quote(unit)}`;
    return { score: 0, message: `Expected a value in ${quote(expected.unit)}, found ${found}.` };
  }
  return closeTo(converted, expected.value, options.tolerance ?? {});
}
