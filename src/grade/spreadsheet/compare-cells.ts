import { type Tolerance, withinTolerance } from "../number/tolerance.ts";
import type { Outcome } from "../outcome.ts";
import { quote } from "../quote.ts";
import { normaliseText } from "../text/normalise-text.ts";
import { findCells } from "./find-cells.ts";
import type { CellValue, Workbook } from "./workbook.ts";

/** A value that a cell must have; `null` is an empty cell. Dates are ISO 8601 texts. */
export type ExpectedValue = string | number | boolean | null;

export interface CompareCellsOptions {
  readonly sheet: string;
  /** Expected values by address. */
  readonly cells: Readonly<Record<string, ExpectedValue>>;
  /** For numbers; default equal. A text that only looks like a number is not one. */
  readonly tolerance?: Tolerance;
}

/** The share of the given cells that show the expected value; texts are compared as `normaliseText` has them. */
export function compareCells(workbook: Workbook, options: CompareCellsOptions): Outcome {
  const wrong: { cell: string; expected: string; actual: string }[] = [];
  const expected = Object.entries(options.cells);
  for (const [address, want] of expected) {
    const found = findCells(workbook, options.sheet, address);
    if (found.kind === "bad") return found.outcome;
    const value = found.value[0]?.value ?? { kind: "empty" };
    if (!isExpected(value, want, options.tolerance ?? {})) {
      wrong.push({ cell: address, expected: quote(String(want ?? "")), actual: showValue(value) });
    }
  }
  const right = expected.length - wrong.length;
  return {
    score: expected.length === 0 ? 1 : right / expected.length,
    message: `${right} of ${expected.length} cells on ${quote(options.sheet)} show the expected value.`,
    evidence: wrong.slice(0, 24),
  };
}

/** Whether a cell shows a value. */
export function isExpected(value: CellValue, expected: ExpectedValue, tolerance: Tolerance = {}): boolean {
  if (expected === null) return value.kind === "empty";
  if (value.kind === "empty" || value.kind === "error") return false;
  if (typeof expected === "number") {
    return value.kind === "number" && withinTolerance(value.value, expected, tolerance);
  }
  if (typeof expected === "boolean" || typeof value.value !== "string") return value.value === expected;
  return normaliseText(value.value) === normaliseText(expected);
}

/** A value as it may stand in a message. */
export function showValue(value: CellValue): string {
  if (value.kind === "empty") return "nothing";
  return value.kind === "text" ? quote(value.value) : String(value.value).slice(0, 40);
}
