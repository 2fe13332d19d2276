import type { Polygon, Typeface } from "./typeface.ts";

/** A line of text as shares of pixels covered; the start of its base line lies at (0, 0), y downwards. */
export interface SetText {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly cover: Float32Array;
  /** How far the whole line is, in pixels. */
  readonly advance: number;
}

/** Rows of samples to a pixel; across, cover is exact. */
const finer = 8;

/** @param size pixels to the em. */
export function setText(typeface: Typeface, text: string, size: number): SetText {
  let advance = 0;
  const polygons: Polygon[] = [];
  for (const letter of text) {
    for (const polygon of typeface.outline(letter))
      polygons.push(polygon.map(([x, y]) => [advance + x * size, -y * size] as const));
    advance += typeface.advance(letter) * size;
  }
  const points = polygons.flat();
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))];
  const width = Math.ceil(Math.max(...xs)) - left;
  const height = Math.ceil(Math.max(...ys)) - top;
  const cover = new Float32Array(width * height);
  for (let line = 0; line < height * finer; line++) {
    const row = Math.floor(line / finer) * width;
    for (const [from, to] of spansAt(polygons, top + (line + 0.5) / finer)) {
      for (let column = Math.floor(from - left); column < to - left && column < width; column++) {
        const share = Math.min(to - left, column + 1) - Math.max(from - left, column);
        cover[row + column] = (cover[row + column] ?? 0) + share / finer;
      }
    }
  }
  return { left, top, width, height, cover, advance };
}

/** Where a horizontal line lies within the polygons, by winding number. */
function spansAt(polygons: readonly Polygon[], y: number): readonly (readonly [number, number])[] {
  const crossings: { readonly x: number; readonly turn: number }[] = [];
  for (const polygon of polygons) {
    for (const [index, [x1, y1]] of polygon.entries()) {
      const [x2, y2] = polygon[(index + 1) % polygon.length] ?? [x1, y1];
      if (y1 <= y === y2 <= y) continue;
      crossings.push({ x: x1 + ((y - y1) / (y2 - y1)) * (x2 - x1), turn: y1 < y2 ? 1 : -1 });
    }
  }
  crossings.sort((a, b) => a.x - b.x);
  const spans: [number, number][] = [];
  let winding = 0;
  for (const [index, { x, turn }] of crossings.entries()) {
    winding += turn;
    const next = crossings[index + 1];
    if (winding !== 0 && next !== undefined) spans.push([x, next.x]);
  }
  return spans;
}
