import { type Board, copperLayers, type Pad, type Place } from "./board.ts";
import { rotated } from "./read-board.ts";

/** A piece of copper: the places within `radius` of a line or polygon (its inside as well when `filled`). */
export interface Copper {
  readonly net: string;
  readonly layers: readonly string[];
  readonly points: readonly Place[];
  readonly radius: number;
  readonly filled: boolean;
  /** For messages: `R1.2`, `track`, `via`, `zone`. */
  readonly name: string;
}

/** Every piece of copper of a board. */
export function copperOf(board: Board): readonly Copper[] {
  return [
    ...board.pads.filter(({ layers }) => layers.length > 0).map(padCopper),
    ...board.tracks.map(({ net, layer, points, width }) => ({
      net,
      layers: [layer],
      points,
      radius: width / 2,
      filled: false,
      name: "track",
    })),
    ...board.vias.map(({ net, at, diameter }) => ({
      net,
      layers: copperLayers,
      points: [at],
      radius: diameter / 2,
      filled: false,
      name: "via",
    })),
    ...board.pours.map(({ net, layer, outline }) => ({
      net,
      layers: [layer],
      points: outline,
      radius: 0,
      filled: true,
      name: "zone",
    })),
  ];
}

function padCopper({ name, net, shape, at, size, angle, roundness, layers }: Pad): Copper {
  const [width, height] = size;
  const short = Math.min(width, height);
  const radius = shape === "rect" ? 0 : shape === "roundrect" ? short * Math.min(0.5, roundness) : short / 2;
  const [x, y] = [width / 2 - radius, height / 2 - radius];
  const corners: readonly Place[] = [
    [-x, -y],
    [x, -y],
    [x, y],
    [-x, y],
  ];
  const points = corners.map((corner): Place => {
    const [dx, dy] = rotated(corner, angle);
    return [at[0] + dx, at[1] + dy];
  });
  return { name, net, layers, points, radius, filled: true };
}

/** The gap between two pieces, 0 when they touch. */
export function gapBetween(a: Copper, b: Copper): number {
  if (a.points.some((point) => isWithin(b, point)) || b.points.some((point) => isWithin(a, point))) return 0;
  let least = Number.POSITIVE_INFINITY;
  for (const first of linesOf(a)) {
    for (const second of linesOf(b)) least = Math.min(least, lineGap(first, second));
  }
  return Math.max(0, least - a.radius - b.radius);
}

/** The gap between a piece and a line without width. */
export function gapToLine(piece: Copper, line: readonly [Place, Place]): number {
  return Math.max(0, Math.min(...linesOf(piece).map((own) => lineGap(own, line))) - piece.radius);
}

export function linesOf({
  points,
  filled,
}: Pick<Copper, "points" | "filled">): readonly (readonly [Place, Place])[] {
  const [first] = points;
  if (first === undefined) return [];
  if (points.length === 1) return [[first, first]];
  const lines = points
    .slice(1)
    .map((point, index): readonly [Place, Place] => [points[index] as Place, point]);
  return filled ? [...lines, [points.at(-1) as Place, first]] : lines;
}

function isWithin({ points, filled }: Copper, [x, y]: Place): boolean {
  if (!filled) return false;
  let inside = false;
  for (const [index, [ax, ay]] of points.entries()) {
    const [bx, by] = points.at(index - 1) as Place;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

function lineGap([a, b]: readonly [Place, Place], [c, d]: readonly [Place, Place]): number {
  const side = (p: Place, q: Place, r: Place): number =>
    Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) return 0;
  return Math.min(pointGap(a, c, d), pointGap(b, c, d), pointGap(c, a, b), pointGap(d, a, b));
}

function pointGap([x, y]: Place, [ax, ay]: Place, [bx, by]: Place): number {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square));
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}
