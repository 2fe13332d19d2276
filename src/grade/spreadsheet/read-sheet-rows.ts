import { PackageProblem } from "../document/xml-scanner.ts";
import type { Cell, ResolvedTableLimits, TableFormat } from "../table/table.ts";
import { TableProblem } from "../table/table-problem.ts";
import { openWorkbook } from "./open-workbook.ts";
import type { ScannedRow } from "./scanned-row.ts";
import type { CellValue } from "./workbook.ts";

/**
 * The rows of a sheet as records of a table; rows without anything are passed over. Errors of formulas are texts, dates
 * are at midnight UTC or the time they show. Throws a `TableProblem` for what cannot be read.
 */
export async function* readSheetRows(
  path: string,
  format: TableFormat,
  sheet: string | number,
  limits: ResolvedTableLimits,
): AsyncGenerator<Cell[][]> {
  try {
    using workbook = await openWorkbook(path, { maxBytes: limits.maxBytes, maxUnpackedBytes: 4 * 1024 ** 3 });
    if (workbook.format !== format) throw new TableProblem(`it is ${workbook.format}, not ${format}`);
    const index = typeof sheet === "number" ? sheet : workbook.sheets.findIndex(({ name }) => name === sheet);
    if (workbook.sheets[index] === undefined)
      throw new TableProblem(`it has no sheet ${JSON.stringify(sheet)}`);
    for await (const batch of workbook.rows(index)) {
      const rows = batch.map((row) => toRecord(row, limits.maxColumns)).filter((row) => row.length > 0);
      if (rows.length > 0) yield rows;
    }
  } catch (error) {
    if (error instanceof PackageProblem) throw new TableProblem(error.message, { cause: error });
    throw error;
  }
}

function toRecord({ cells }: ScannedRow, maxColumns: number): Cell[] {
  const record: Cell[] = [];
  for (const { column, value } of cells) {
    const cell = toCell(value);
    if (cell === null) continue;
    if (column >= maxColumns) throw new TableProblem(`it has more than ${maxColumns} columns`);
    while (record.length < column) record.push(null);
    record.push(cell);
  }
  return record;
}

function toCell(value: CellValue): Cell {
  if (value.kind === "empty") return null;
  if (value.kind !== "date") return value.value;
  const date = new Date(value.value.includes("T") ? `${value.value}Z` : value.value);
  return Number.isNaN(date.getTime()) ? value.value : date;
}
