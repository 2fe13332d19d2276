/** Rows of a table that a page shows, its head besides. */
export const rowsShown = 100;
const columnsShown = 60;
const cellLength = 500;

/** A row as far as a page shows it. */
export function clipRow(row: readonly string[]): readonly string[] {
  return row
    .slice(0, columnsShown)
    .map((cell) => (cell.length > cellLength ? `${cell.slice(0, cellLength)}…` : cell));
}
