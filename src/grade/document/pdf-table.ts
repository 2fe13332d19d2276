/** A stretch of text with its place on the page, in points from the lower left; `x`, `y` are where its baseline starts. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Rows of cells by position: texts on one baseline (within half a line's height) are a row, read left to right; a gap
 * wider than the height of the text parts two cells. Enough for ruled tables of one line a row; it knows no merged
 * cells and nothing of lines. Texts without height or characters are left out.
 */
export function tableRows(texts: readonly PlacedText[]): readonly (readonly string[])[] {
  const placed = texts.filter(({ text, height }) => text.trim() !== "" && height > 0);
  const byHeight = placed.toSorted((one, other) => other.y - one.y);
  const rows: PlacedText[][] = [];
  for (const item of byHeight) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (
      row !== undefined &&
      first !== undefined &&
      first.y - item.y <= Math.max(first.height, item.height) / 2
    ) {
      row.push(item);
    } else rows.push([item]);
  }
  return rows.map((row) => cellsOf(row.toSorted((one, other) => one.x - other.x)));
}

function cellsOf(row: readonly PlacedText[]): readonly string[] {
  const cells: string[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const { text, x, width, height } of row) {
    const gap = x - end;
    if (gap > height || cells.length === 0) cells.push(text);
    else cells.push(`${cells.pop() ?? ""}${gap > height / 6 ? " " : ""}${text}`);
    end = Math.max(end, x + width);
  }
  return cells.map((cell) => cell.replace(/\s+/g, " ").trim());
}
