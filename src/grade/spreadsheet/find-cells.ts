import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";
import { rangeAddresses } from "./cell-address.ts";
import type { Workbook, WorkbookCell, WorkbookSheet } from "./workbook.ts";

/** A sheet by its name, case and outer blanks aside as spreadsheets themselves do; bad when there is none. */
export function findSheet(workbook: Workbook, name: string): Read<WorkbookSheet> {
  const plain = (text: string): string => text.trim().toLowerCase();
  const sheet = workbook.sheets.find((candidate) => plain(candidate.name) === plain(name));
  return sheet === undefined ? bad(`The workbook has no sheet ${quote(name)}.`) : ok(sheet);
}

/**
 * The cells of a range (`B2:D9`, or one cell), row by row; cells that hold nothing are there, empty.
 * Throws an `AleError` coded `spreadsheet-misuse` when `range` is not one.
 */
export function findCells(workbook: Workbook, sheet: string, range: string): Read<readonly WorkbookCell[]> {
  const addresses = rangeAddresses(range);
  const found = findSheet(workbook, sheet);
  if (found.kind === "bad") return found;
  const { cells } = found.value;
  return ok(addresses.map((address) => cells.get(address) ?? { address, value: { kind: "empty" } }));
}
