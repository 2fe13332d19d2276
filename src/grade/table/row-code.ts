const separator = "\u001f";
const rowMark = "\u001e";
const special = new RegExp(`[\u001d${rowMark}${separator}]`);

/**
 * A row as one string, `index ␟ key ␟ values…`, in which only U+001F separates and U+001E does not occur: the two, and
 * U+001D, are written as U+001D and a digit.
 */
export function encodeRow(index: number, key: readonly string[], values: readonly string[]): string {
  const keyText = key.map((cell) => escapeCell(cell)).join("\u001d;");
  return [index, keyText, ...values.map(escapeCell)].join(separator);
}

/** A coded row, taken apart as far as joining needs. */
export interface CodedRow {
  readonly index: number;
  readonly key: string;
  /** The values still as one string: equal strings are equal rows. */
  readonly values: string;
}

/** Undoes {@link encodeRow}, key and values left coded. */
export function splitRow(row: string): CodedRow {
  const first = row.indexOf(separator);
  const second = row.indexOf(separator, first + 1);
  const end = second < 0 ? row.length : second;
  return { index: Number(row.slice(0, first)), key: row.slice(first + 1, end), values: row.slice(end + 1) };
}

/** The cells of a row's coded values. */
export function splitValues(values: string): readonly string[] {
  const cells = values.split(separator);
  return values.includes("\u001d") ? cells.map(unescapeCell) : cells;
}

/** The cells of a coded key. */
export function splitKey(key: string): readonly string[] {
  return key.split("\u001d;").map(unescapeCell);
}

function escapeCell(cell: string): string {
  if (!special.test(cell)) return cell;
  return cell.replaceAll("\u001d", "\u001d0").replaceAll("\u001e", "\u001d1").replaceAll("\u001f", "\u001d2");
}

function unescapeCell(cell: string): string {
  if (!cell.includes("\u001d")) return cell;
  return cell.replaceAll("\u001d2", "\u001f").replaceAll("\u001d1", "\u001e").replaceAll("\u001d0", "\u001d");
}
