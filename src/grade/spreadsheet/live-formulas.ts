import type { Tolerance } from "../number/tolerance.ts";
import type { Outcome } from "../outcome.ts";
import { quote } from "../quote.ts";
import { type ExpectedValue, isExpected, showValue } from "./compare-cells.ts";
import { findCells } from "./find-cells.ts";
import { isComputed } from "./formula-use.ts";
import { type RecalculateOptions, recalculateSpreadsheet } from "./recalculate-spreadsheet.ts";

export interface LiveCells {
  readonly sheet: string;
  /** For example `D2:D40` or `D41`. */
  readonly range: string;
  /** What the one cell, or every cell, must show once the inputs are edited; absent, another value than before. */
  readonly expected?: ExpectedValue;
}

export interface LiveFormulaOptions extends RecalculateOptions {
  /** Inputs that are changed. Choose values that must move every cell of `cells`. */
  readonly edits: NonNullable<RecalculateOptions["edits"]>;
  readonly cells: readonly LiveCells[];
  /** For expected numbers; default equal. */
  readonly tolerance?: Tolerance;
}

/**
 * The share of the given cells that are formulas over other cells and answer to a change of the inputs: recalculated
 * by LibreOffice, each must show another value than before, or the expected one. An error never counts. So
 * a pasted number fails, and so does a formula that repeats a number, or looks at the wrong cells.
 * Throws as `recalculateSpreadsheet` does.
 */
export async function checkLiveFormulas(options: LiveFormulaOptions): Promise<Outcome> {
  const recalculated = await recalculateSpreadsheet(options);
  if (recalculated.kind === "bad") return recalculated.outcome;
  const { before, after } = recalculated.value;
  const names = before.definedNames.map(({ name }) => name);
  const dead: { cell: string; why: string }[] = [];
  let count = 0;
  for (const { sheet, range, expected } of options.cells) {
    const [earlier, later] = [findCells(before, sheet, range), findCells(after, sheet, range)];
    if (earlier.kind === "bad") return earlier.outcome;
    if (later.kind === "bad") return later.outcome;
    for (const [index, cell] of earlier.value.entries()) {
      count++;
      const value = later.value[index]?.value ?? { kind: "empty" };
      const why = !isComputed(cell, names)
        ? "is not a formula over other cells"
        : value.kind === "error"
          ? `shows ${quote(value.value)}`
          : expected !== undefined
            ? isExpected(value, expected, options.tolerance)
              ? ""
              : `shows ${showValue(value)} once its inputs change`
            : showValue(value) === showValue(cell.value)
              ? "does not answer to its inputs"
              : "";
      if (why !== "") dead.push({ cell: `${sheet}!${cell.address}`, why });
    }
  }
  const live = count - dead.length;
  return {
    score: count === 0 ? 1 : live / count,
    message: `${live} of ${count} cells are formulas that answer to their inputs.`,
    evidence: dead.slice(0, 24),
  };
}
