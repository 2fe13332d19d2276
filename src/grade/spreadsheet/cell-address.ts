import { AleError } from "../../contract/ale-error.ts";

/** Row and column from 0. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** Rows of a worksheet in Excel. */
export const maxRow = 1_048_576;
/** Columns of a worksheet in Excel. */
export const maxColumn = 16_384;

/** `{row: 6, column: 1}` as `B7`. */
export function formatAddress(position: CellPosition): string {
  return `${columnLetters(position.column)}${position.row + 1}`;
}

/** `1` as `B`, `26` as `AA`. */
export function columnLetters(column: number): string {
  let letters = "";
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
  }
  return letters;
}

/** Reads `B7` or `$B$7`; `undefined` for anything else or what no sheet can hold. */
export function parseAddress(text: string): CellPosition | undefined {
  const match = /^\$?([A-Za-z]{1,3})\$?([1-9]\d{0,6})$/.exec(text);
  if (match === null) return undefined;
  let column = 0;
  for (const letter of (match[1] ?? "").toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  const position = { row: Number(match[2]) - 1, column: column - 1 };
  return position.row < maxRow && position.column < maxColumn ? position : undefined;
}

/**
 * The addresses of a range (`B2:D9`, or a single cell), row by row. Throws an `AleError` coded `spreadsheet-misuse` when
 * it is not one, or has more than 1,000,000 cells: ranges are written by task authors.
 */
export function rangeAddresses(range: string): readonly string[] {
  const [first = "", last = first, ...more] = range.split(":");
  const [from, to] = [parseAddress(first), parseAddress(last)];
  if (from === undefined || to === undefined || more.length > 0) throw misuse(range, "is not a range");
  const [top, bottom] = [Math.min(from.row, to.row), Math.max(from.row, to.row)];
  const [left, right] = [Math.min(from.column, to.column), Math.max(from.column, to.column)];
  if ((bottom - top + 1) * (right - left + 1) > 1_000_000) throw misuse(range, "has too many cells");
  const addresses: string[] = [];
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) addresses.push(formatAddress({ row, column }));
  }
  return addresses;
}

function misuse(range: string, problem: string): AleError {
  return new AleError({
    code: "spreadsheet-misuse",
    message: `${JSON.stringify(range)} ${problem}.`,
    remedy: "Write it like B7 or B2:D9.",
    fields: { range },
  });
}
