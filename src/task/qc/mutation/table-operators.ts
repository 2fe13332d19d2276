import type { Random } from "../../../contract/random.ts";
import { readDelimited, separatorOf } from "../../read-delimited.ts";
import { changeValue } from "./change-value.ts";
import { type MutationOperator, overText } from "./operator.ts";

type Table = readonly (readonly string[])[];
type Change = (rows: Table, random: Random) => { readonly what: string; readonly rows: Table } | undefined;

/** For tables of text with a header: rows dropped and repeated, cells changed, emptied and swapped, a column dropped. */
export function tableOperators(name: string): readonly MutationOperator[] {
  return changes.map((change) =>
    overText((text, random) => {
      const separator = separatorOf(name, text);
      const rows = readDelimited(text, separator);
      if (rows === undefined || rows.length < 2) return undefined;
      const changed = change(rows, random);
      return changed && { what: changed.what, text: writeRows(changed.rows, separator) };
    }),
  );
}

const changes: readonly Change[] = [
  (rows, random) => {
    const index = random.integer(1, rows.length - 1);
    return { what: `row ${index} dropped`, rows: rows.toSpliced(index, 1) };
  },
  (rows, random) => {
    const index = random.integer(1, rows.length - 1);
    return {
      what: `row ${index} repeated`,
      rows: rows.toSpliced(index, 0, rows[index] as readonly string[]),
    };
  },
  (rows, random) => changeCell(rows, random, (value) => changeValue(value, random)),
  (rows, random) => changeCell(rows, random, () => ""),
  (rows, random) => {
    const width = rows[0]?.length ?? 0;
    if (width < 2) return undefined;
    const column = random.integer(0, width - 1);
    return { what: `column ${rows[0]?.[column]} dropped`, rows: rows.map((row) => row.toSpliced(column, 1)) };
  },
  (rows, random) => {
    const column = random.integer(0, (rows[0]?.length ?? 1) - 1);
    const [first, second] = random.shuffle(rows.map((_, index) => index).slice(1));
    if (first === undefined || second === undefined) return undefined;
    const [a, b] = [rows[first]?.[column] ?? "", rows[second]?.[column] ?? ""];
    if (a === b) return undefined;
    const swapped = rows.map((row, index) =>
      index === first ? row.toSpliced(column, 1, b) : index === second ? row.toSpliced(column, 1, a) : row,
    );
    return { what: `column ${rows[0]?.[column]}: rows ${first} and ${second} swapped`, rows: swapped };
  },
];

function changeCell(
  rows: Table,
  random: Random,
  change: (value: string) => string,
): { readonly what: string; readonly rows: Table } | undefined {
  const full = rows.flatMap((row, index) =>
    index === 0
      ? []
      : row.flatMap((value, column) => (value.trim() === "" ? [] : [{ index, column, value }])),
  );
  if (full.length === 0) return undefined;
  const { index, column, value } = random.pick(full);
  const changed = change(value);
  const row = (rows[index] as readonly string[]).toSpliced(column, 1, changed);
  const what = `row ${index}, ${rows[0]?.[column] ?? `column ${column + 1}`}: ${value} made ${changed === "" ? "empty" : changed}`;
  return { what, rows: rows.toSpliced(index, 1, row) };
}

function writeRows(rows: Table, delimiter: string): string {
  const cell = (value: string): string =>
    /["\n\r]/.test(value) || value.includes(delimiter) ? `"${value.replaceAll('"', '""')}"` : value;
  return `${rows.map((row) => row.map(cell).join(delimiter)).join("\n")}\n`;
}
