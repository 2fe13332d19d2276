export type Polygon = readonly (readonly [x: number, y: number])[];

/** Outlines of a TrueType font, y upwards, one unit to the em. */
export interface Typeface {
  /** How far the next letter stands from this one. */
  advance(letter: string): number;
  /** Closed polygons; curves are made of straight pieces. Filled where the winding number is not 0. */
  outline(letter: string): readonly Polygon[];
}

/** Straight pieces to a curve. */
const pieces = 6;

/**
 * Reads a TrueType font whose letters are all simple outlines and which has a character map of format 4. Throws an `Error`
 * for a letter that it has not.
 */
export function readTypeface(bytes: Uint8Array): Typeface {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = new Map<string, number>();
  for (let index = 0; index < view.getUint16(4); index++) {
    const at = 12 + 16 * index;
    tables.set(String.fromCharCode(...bytes.subarray(at, at + 4)), view.getUint32(at + 8));
  }
  const table = (name: string): number => {
    const at = tables.get(name);
    if (at === undefined) throw new Error(`the font has no table ${name}`);
    return at;
  };
  const em = view.getUint16(table("head") + 18);
  const isLong = view.getInt16(table("head") + 50) === 1;
  const metrics = view.getUint16(table("hhea") + 34);
  const glyphs = readCharacterMap(view, table("cmap"));
  const glyphOf = (letter: string): number => {
    const glyph = glyphs.get(letter.codePointAt(0) ?? 0);
    if (glyph === undefined) throw new Error(`the font has no letter ${JSON.stringify(letter)}`);
    return glyph;
  };
  const offset = (glyph: number): number =>
    isLong ? view.getUint32(table("loca") + 4 * glyph) : 2 * view.getUint16(table("loca") + 2 * glyph);
  return {
    advance: (letter) => view.getUint16(table("hmtx") + 4 * Math.min(glyphOf(letter), metrics - 1)) / em,
    outline(letter) {
      const glyph = glyphOf(letter);
      const [start, end] = [offset(glyph), offset(glyph + 1)];
      if (start === end) return [];
      return readContours(view, table("glyf") + start).map((contour) =>
        flatten(contour).map(([x, y]) => [x / em, y / em] as const),
      );
    },
  };
}

function readCharacterMap(view: DataView, cmap: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (let index = 0; index < view.getUint16(cmap + 2); index++) {
    const at = cmap + view.getUint32(cmap + 8 + 8 * index);
    if (view.getUint16(at) !== 4) continue;
    const doubled = view.getUint16(at + 6);
    for (let segment = 0; segment < doubled; segment += 2) {
      const last = view.getUint16(at + 14 + segment);
      const first = view.getUint16(at + 16 + doubled + segment);
      const delta = view.getUint16(at + 16 + 2 * doubled + segment);
      const rangeAt = at + 16 + 3 * doubled + segment;
      const range = view.getUint16(rangeAt);
      for (let code = first; code <= last && code < 0xffff; code++) {
        const direct = range === 0 ? code : view.getUint16(rangeAt + range + 2 * (code - first));
        if (direct !== 0) found.set(code, (direct + delta) & 0xffff);
      }
    }
  }
  return found;
}

interface OutlinePoint {
  readonly x: number;
  readonly y: number;
  readonly isOn: boolean;
}

/** @see https://learn.microsoft.com/typography/opentype/spec/glyf */
function readContours(view: DataView, glyph: number): readonly (readonly OutlinePoint[])[] {
  const count = view.getInt16(glyph);
  if (count < 0) throw new Error("the font has a letter made of others");
  const ends = Array.from({ length: count }, (_, index) => view.getUint16(glyph + 10 + 2 * index));
  const points = (ends.at(-1) ?? -1) + 1;
  let at = glyph + 10 + 2 * count;
  at += 2 + view.getUint16(at);
  const flags: number[] = [];
  while (flags.length < points) {
    const flag = view.getUint8(at++);
    const times = (flag & 8) === 0 ? 1 : 1 + view.getUint8(at++);
    for (let time = 0; time < times; time++) flags.push(flag);
  }
  const readAxis = (short: number, same: number): readonly number[] => {
    let value = 0;
    return flags.map((flag) => {
      if ((flag & short) !== 0) value += view.getUint8(at++) * ((flag & same) === 0 ? -1 : 1);
      else if ((flag & same) === 0) {
        value += view.getInt16(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = readAxis(2, 16);
  const ys = readAxis(4, 32);
  const all = flags.map((flag, index) => ({
    x: xs[index] ?? 0,
    y: ys[index] ?? 0,
    isOn: (flag & 1) !== 0,
  }));
  return ends.map((end, index) => all.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end + 1));
}

/** Quadratic curves to straight pieces; between two points off the curve lies one on it. */
function flatten(contour: readonly OutlinePoint[]): Polygon {
  const whole = contour.flatMap((point, index) => {
    const next = contour[(index + 1) % contour.length] ?? point;
    if (point.isOn || next.isOn) return [point];
    return [point, { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2, isOn: true }];
  });
  const first = whole.findIndex(({ isOn }) => isOn);
  const turned = [...whole.slice(first), ...whole.slice(0, first + 1)];
  return turned.flatMap((point, index) => {
    if (point.isOn) return [[point.x, point.y] as const];
    const [from, to] = [turned[index - 1] ?? point, turned[index + 1] ?? point];
    return Array.from({ length: pieces - 1 }, (_, piece) => {
      const u = (piece + 1) / pieces;
      const along = (a: number, b: number, c: number): number =>
        (1 - u) ** 2 * a + 2 * u * (1 - u) * b + u ** 2 * c;
      return [along(from.x, point.x, to.x), along(from.y, point.y, to.y)] as const;
    });
  });
}
