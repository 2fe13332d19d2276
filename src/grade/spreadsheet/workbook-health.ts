import type { Outcome } from "../outcome.ts";
import { quote } from "../quote.ts";
import type { Workbook } from "./workbook.ts";

export interface WorkbookHealth {
  /** Cells that show an error, as `Sheet!B7`. */
  readonly errorCells: readonly { readonly cell: string; readonly error: string }[];
  readonly hiddenSheets: readonly string[];
  readonly externalLinks: readonly string[];
  readonly macros: boolean;
  readonly formulas: number;
  /** Number cells that are not computed. */
  readonly constants: number;
  /** formulas / (formulas + number constants); 0 when there are neither. */
  readonly formulaShare: number;
}

/** What a reviewer looks at first: errors, hidden sheets, links to other files, macros, how much is computed. */
export function inspectWorkbook(workbook: Workbook): WorkbookHealth {
  const errorCells: { cell: string; error: string }[] = [];
  let formulas = 0;
  let constants = 0;
  for (const sheet of workbook.sheets) {
    for (const { address, value, formula } of sheet.cells.values()) {
      if (formula !== undefined) formulas++;
      else if (value.kind === "number") constants++;
      if (value.kind === "error") errorCells.push({ cell: `${sheet.name}!${address}`, error: value.value });
    }
  }
  return {
    errorCells,
    hiddenSheets: workbook.sheets.filter((sheet) => sheet.visibility !== "visible").map(({ name }) => name),
    externalLinks: workbook.externalLinks,
    macros: workbook.macros,
    formulas,
    constants,
    formulaShare: formulas + constants === 0 ? 0 : formulas / (formulas + constants),
  };
}

export interface HealthOutcomeOptions {
  /** Default false. */
  readonly allowHiddenSheets?: boolean;
  /** Default false. */
  readonly allowExternalLinks?: boolean;
  /** Default false. */
  readonly allowMacros?: boolean;
}

/** 1 for a workbook without error cells and without what is not allowed, else 0. Fit for a gate. */
export function workbookHealthOutcome(workbook: Workbook, options: HealthOutcomeOptions = {}): Outcome {
  const health = inspectWorkbook(workbook);
  const problems: string[] = [];
  const first = health.errorCells[0];
  if (first !== undefined) {
    problems.push(
      `${health.errorCells.length} cells show an error, first ${quote(first.cell)} ${quote(first.error)}`,
    );
  }
  if (options.allowHiddenSheets !== true && health.hiddenSheets.length > 0) {
    problems.push(`sheets are hidden: ${list(health.hiddenSheets)}`);
  }
  if (options.allowExternalLinks !== true && health.externalLinks.length > 0) {
    problems.push(`it draws on other files: ${list(health.externalLinks)}`);
  }
  if (options.allowMacros !== true && health.macros) problems.push("it carries macros");
  const message =
    problems.length === 0 ? "The workbook shows no errors." : `In the workbook, ${problems.join("; ")}.`;
  return {
    score: problems.length === 0 ? 1 : 0,
    message,
    evidence: health.errorCells.slice(0, 24).map(({ cell, error }) => `${quote(cell)} ${quote(error)}`),
  };
}

function list(names: readonly string[]): string {
  return names
    .slice(0, 5)
    .map((name) => quote(name))
    .join(", ");
}
