import { stripVTControlCharacters } from "node:util";

export interface TableColumn<Row> {
  readonly title: string;
  readonly align?: "left" | "right";
  cell(row: Row): string;
}

/** Lays rows out in aligned columns, two blanks apart, with a heading line; ends with a newline. */
export function textTable<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...cells.map((line) => visibleWidth(line[index] ?? ""))),
  );
  const lines = [columns.map((column) => column.title), ...cells];
  return lines
    .map((line) =>
      line
        .map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align ?? "left"))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

function pad(cell: string, width: number, align: "left" | "right"): string {
  const gap = " ".repeat(Math.max(0, width - visibleWidth(cell)));
  return align === "left" ? cell + gap : gap + cell;
}

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

/** Columns a text takes on a terminal: escape codes none, East Asian wide characters two. */
export function visibleWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  return plain.length + (plain.match(wide)?.length ?? 0);
}
