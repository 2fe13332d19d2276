import { columnLetters, maxColumn, maxRow, parseAddress } from "./cell-address.ts";

const reference = /("[^"]*(?:"|$)|'[^']*(?:'|$))|(?<![\w.$])(\$?)([A-Z]{1,3})(\$?)([1-9]\d{0,6})(?![\w(.])/g;

/**
 * A formula as it reads when copied `rows` down and `columns` to the right: relative references move, those with `$`
 * stay, texts and quoted sheet names are left alone. A reference that leaves the sheet becomes `#REF!`.
 */
export function shiftFormula(formula: string, rows: number, columns: number): string {
  return formula.replace(reference, (whole, quoted, columnMark, letters, rowMark, digits) => {
    const position = quoted === undefined ? parseAddress(`${letters}${digits}`) : undefined;
    if (position === undefined) return whole;
    const row = rowMark === "$" ? position.row : position.row + rows;
    const column = columnMark === "$" ? position.column : position.column + columns;
    if (row < 0 || row >= maxRow || column < 0 || column >= maxColumn) return "#REF!";
    return `${columnMark}${columnLetters(column)}${rowMark}${row + 1}`;
  });
}
