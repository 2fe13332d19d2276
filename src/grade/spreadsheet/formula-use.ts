import type { Outcome } from "../outcome.ts";
import { quote } from "../quote.ts";
import { findCells } from "./find-cells.ts";
import type { Workbook, WorkbookCell } from "./workbook.ts";

export interface FormulaUseOptions {
  readonly sheet: string;
  /** Where formulas are required, e.g. `D2:D40`. Empty cells in it count as lacking one. */
  readonly range: string;
}

/**
 * The share of a range's cells that compute their value from other cells. A formula without any reference (`=1250.5`,
 * `=500+750.5`) is a hard-coded number in disguise and does not count. Whether a formula really answers to its
 * inputs is for `checkLiveFormulas` to tell.
 * Throws an `AleError` coded `spreadsheet-misuse` for a bad range.
 */
export function formulaUse(workbook: Workbook, options: FormulaUseOptions): Outcome {
  const found = findCells(workbook, options.sheet, options.range);
  if (found.kind === "bad") return found.outcome;
  const names = workbook.definedNames.map(({ name }) => name);
  const lacking = found.value.filter((cell) => !isComputed(cell, names));
  const computed = found.value.length - lacking.length;
  return {
    score: computed / found.value.length,
    message: `${computed} of ${found.value.length} cells of ${quote(options.sheet)}!${options.range} compute their value from other cells.`,
    evidence: lacking.slice(0, 24).map(({ address, formula, value }) => ({
      cell: address,
      holds:
        formula === undefined
          ? value.kind === "empty"
            ? "nothing"
            : `a constant ${value.kind}`
          : quote(`=${formula}`),
    })),
  };
}

/** Whether a cell has a formula that refers to another cell, a name, or a column of a table. */
export function isComputed(cell: WorkbookCell, definedNames: readonly string[] = []): boolean {
  if (cell.formula === undefined) return false;
  const bare = cell.formula.replace(/"[^"]*"/g, '""');
  if (/\$?[A-Za-z]{1,3}\$?[1-9]\d*(?![\w(])/.test(bare) || /\$?[A-Z]{1,3}:\$?[A-Z]{1,3}/.test(bare))
    return true;
  if (/\w\[/.test(bare)) return true;
  const words = new Set(bare.toLowerCase().match(/[\p{L}_\\][\p{L}\p{N}_.]*/gu) ?? []);
  return definedNames.some((name) => words.has(name.toLowerCase()));
}
