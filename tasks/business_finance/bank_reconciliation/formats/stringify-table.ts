/** Delimited text with quotes where they are needed; lines end in a line feed. */
export function stringifyTable(rows: readonly (readonly string[])[], delimiter: "," | ";" = ","): string {
  const cell = (value: string): string =>
    /["\n]/.test(value) || value.includes(delimiter) ? `"${value.replaceAll('"', '""')}"` : value;
  return rows.map((row) => `${row.map(cell).join(delimiter)}\n`).join("");
}
