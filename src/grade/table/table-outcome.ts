import type { JsonValue } from "../../contract/json-value.ts";
import type { Outcome } from "../outcome.ts";
import { quote } from "../quote.ts";
import type { ComparedTables, TableComparison } from "./table-comparison.ts";

export interface TableOutcomeOptions {
  /**
   * `cells` (default): the share of right cells, see {@link tableOutcome}. `rows`: the same with a row as one cell, right
   * when all of it is. `all`: 1 if everything is right, else 0.
   */
  readonly unit?: "cells" | "rows" | "all";
  /** `ignored` (default), or `counted`: each unknown column costs as many wrong cells as the table has rows. */
  readonly extraColumns?: "ignored" | "counted";
}

/**
 * The score of a comparison: right cells / all cells.
 * - All cells: (expected + extra rows) × (compared columns, also those that are missing, without the key). So a
 *   missing row and an extra row cost a whole row each, a missing column costs its cells in every row, and a
 *   wrong key costs two rows. A table of nothing but its key counts one cell a row.
 * - With the order required, the share is multiplied by that of the matched rows that stand in order.
 * - Two tables without rows agree as far as their columns do.
 */
export function tableOutcome(comparison: TableComparison, options: TableOutcomeOptions = {}): Outcome {
  if (comparison.kind === "bad") return comparison.outcome;
  const score = scoreOf(comparison, options);
  return { score, message: messageOf(comparison, score), evidence: evidenceOf(comparison) };
}

function scoreOf(comparison: ComparedTables, options: TableOutcomeOptions): number {
  const { columns, missingColumns, extraColumns, matchedRows } = comparison;
  const surplus = options.extraColumns === "counted" ? extraColumns.length : 0;
  const byRow = (options.unit ?? "cells") !== "cells";
  const width = columns.length + missingColumns.length + surplus;
  const rows = comparison.expectedRows + comparison.extraRows;
  if (rows === 0) {
    const share = width === 0 ? 1 : columns.length / width;
    return byRow && share < 1 ? 0 : share;
  }
  const complete = missingColumns.length + surplus === 0;
  const right =
    byRow || width === 0
      ? complete
        ? comparison.rightRows
        : 0
      : columns.reduce((sum, column) => sum + column.right, 0);
  const share = right / (rows * (byRow ? 1 : Math.max(width, 1)));
  const ordered = matchedRows === 0 ? 1 : comparison.rowsInOrder / matchedRows;
  return options.unit === "all" ? Number(share * ordered === 1) : share * ordered;
}

function messageOf(comparison: ComparedTables, score: number): string {
  if (score === 1) {
    return `All ${comparison.expectedRows} rows are right in ${comparison.columns.length} compared columns.`;
  }
  const wrong = comparison.columns.filter((column) => column.wrong > 0);
  const wrongCells = wrong.reduce((sum, column) => sum + column.wrong, 0);
  const parts = [
    counted(comparison.missingRows, "missing row"),
    counted(comparison.extraRows, "extra row"),
    counted(wrongCells, "wrong cell"),
    comparison.missingColumns.length === 0 ? "" : `no column ${names(comparison.missingColumns)}`,
    comparison.extraColumns.length === 0 ? "" : `unknown column ${names(comparison.extraColumns)}`,
    comparison.orderRequired ? counted(comparison.matchedRows - comparison.rowsInOrder, "row") : "",
  ];
  if (parts[5] !== "") parts[5] += " out of order";
  const said = parts.filter((part) => part !== "").join(", ");
  return `${comparison.rightRows} of ${comparison.expectedRows} expected rows are right: ${said}.`;
}

function counted(count: number, noun: string): string {
  return count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function names(columns: readonly string[]): string {
  const shown = columns.slice(0, 5).map((name) => quote(name, 40));
  return shown.join(", ") + (columns.length > 5 ? ` and ${columns.length - 5} more` : "");
}

function evidenceOf(comparison: ComparedTables): JsonValue {
  const { duplicateKeys, columns, differences, extraColumns } = comparison;
  return {
    expectedRows: comparison.expectedRows,
    actualRows: comparison.actualRows,
    matchedRows: comparison.matchedRows,
    duplicateKeys: { ...duplicateKeys },
    wrongByColumn: Object.fromEntries(
      columns.filter(({ wrong }) => wrong > 0).map(({ name, wrong }) => [name, wrong]),
    ),
    missingColumns: comparison.missingColumns,
    extraColumns: extraColumns.slice(0, 24).map((name) => quote(name)),
    differences: differences.map((difference) => ({ ...difference })),
  };
}
