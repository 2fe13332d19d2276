import type { RasterImage } from "./load-image.ts";
import { lumaRow } from "./luma.ts";

/** A staff of five lines, in pixels. */
export interface Staff {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** A long horizontal line. */
interface Line {
  readonly row: number;
  readonly left: number;
  readonly right: number;
}

/** How much darker than both the rows above and below a line must be, of 255. */
const contrast = 40;
/** Shortest line, as a share of the image's width. */
const shortest = 0.12;
/** Notes, stems and clefs cut a line; this many pixels at most. */
const longestGap = 12;

/**
 * Staves of written music in an image of a page or a window: five horizontal lines, dark on light, evenly spaced, of about
 * the same length. From top to bottom.
 */
export function findStaves(image: RasterImage): readonly Staff[] {
  const lines = findLines(image);
  const staves: Staff[] = [];
  for (let index = 0; index + 4 < lines.length; ) {
    const five = lines.slice(index, index + 5);
    if (areStaff(five)) {
      staves.push({
        top: Math.min(...five.map(({ row }) => row)),
        bottom: Math.max(...five.map(({ row }) => row)),
        left: Math.max(...five.map(({ left }) => left)),
        right: Math.min(...five.map(({ right }) => right)),
      });
      index += 5;
    } else index++;
  }
  return staves;
}

function areStaff(five: readonly Line[]): boolean {
  const gaps = five.slice(1).map((line, index) => line.row - (five[index]?.row ?? 0));
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)];
  if (least < 3 || most > 60 || most - least > 2) return false;
  const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
  const width = (five[0]?.right ?? 0) - (five[0]?.left ?? 0);
  return (
    spread(five.map(({ left }) => left)) <= 0.1 * width &&
    spread(five.map(({ right }) => right)) <= 0.1 * width
  );
}

function findLines({ width, height, data }: RasterImage): readonly Line[] {
  const image = { width, height, data };
  const rows = Array.from({ length: height }, (_, row) => {
    const luma = new Float64Array(width);
    lumaRow(image, row, luma);
    return luma;
  });
  const lines: Line[] = [];
  for (let row = 3; row + 3 < height; row++) {
    const [above, here, below] = [rows[row - 3], rows[row], rows[row + 3]];
    if (above === undefined || here === undefined || below === undefined) continue;
    const line = longestRun(width, (column) => {
      const lightest = Math.min(above[column] ?? 0, below[column] ?? 0);
      return (here[column] ?? 255) <= lightest - contrast;
    });
    if (line.right - line.left < shortest * width) continue;
    const last = lines.at(-1);
    // A line of two rows is one.
    if (last !== undefined && row - last.row <= 1) lines.pop();
    lines.push({ row, ...line });
  }
  return lines;
}

function longestRun(width: number, isDark: (column: number) => boolean): { left: number; right: number } {
  let best = { left: 0, right: 0 };
  let [left, last] = [-1, -1];
  for (let column = 0; column < width; column++) {
    if (!isDark(column)) continue;
    if (left < 0 || column - last > longestGap) left = column;
    last = column;
    if (last - left > best.right - best.left) best = { left, right: last };
  }
  return best;
}
