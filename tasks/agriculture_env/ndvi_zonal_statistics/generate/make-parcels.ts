import type { Random } from "ale/contract/random";
import { type Grid, type Polygon, toPixels } from "../geo/grid.ts";
import type { Point, UtmZone } from "../geo/transverse-mercator.ts";

/** A parcel of the hidden truth. */
export interface Parcel {
  readonly id: string;
  readonly farm: string;
  /** Longitude and latitude, as published. */
  readonly lonLat: readonly Polygon[];
  /** What is published, projected and in pixels of the 10 m grid. */
  readonly pixels: readonly Polygon[];
}

/** Least distance of a pixel centre from a boundary, in pixels: no exact implementation can disagree on a pixel. */
const clearance = 0.001;

/** Parcels in a jittered grid of cells: convex and concave fields, strips, fields with a hole, fields in two parts. */
export function makeParcels(random: Random, grid: Grid, cell: number, zone: UtmZone): readonly Parcel[] {
  const parcels: Parcel[] = [];
  const columns = Math.floor(grid.width / cell);
  const rows = Math.floor(grid.height / cell);
  const numbers = random
    .fork("numbers")
    .shuffle(Array.from({ length: 9000 }, (_unused, index) => index + 12));
  // One row and one column more than fit: fields on the scene's edge, and a few beyond it.
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const isBeyond = row === rows && column === columns;
      if (!isBeyond && random.next() < (row === rows || column === columns ? 0.75 : 0.1)) continue;
      const center: Point = [(column + 0.5) * cell, (row + 0.5) * cell];
      const drawn = random.fork(`${row}/${column}`);
      const away = isBeyond ? cell : 0;
      const made = drawParcel(drawn, [center[0] + away, center[1] + away], cell, grid, zone);
      const id = String(numbers[parcels.length]).padStart(5, "0");
      parcels.push({
        id,
        farm: `F${String(1 + Math.floor(column / 3) + 10 * Math.floor(row / 3)).padStart(3, "0")}`,
        ...made,
      });
    }
  }
  return parcels;
}

function drawParcel(
  random: Random,
  center: Point,
  cell: number,
  grid: Grid,
  zone: UtmZone,
): Pick<Parcel, "lonLat" | "pixels"> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const shape = drawShape(random, center, cell);
    const lonLat = shape.map((polygon) =>
      polygon.map((ring) => ring.map((point) => publish(point, grid, zone))),
    );
    const pixels = lonLat.map((polygon) =>
      toPixels(
        polygon.map((ring) => ring.map(zone.forward)),
        grid,
      ),
    );
    if (pixels.flat().every(keepsClear)) return { lonLat, pixels };
  }
  throw new Error("no parcel keeps clear of the pixel centres");
}

function drawShape(random: Random, [x, y]: Point, cell: number): readonly Polygon[] {
  const reach = cell * 0.46;
  const kind = random.next();
  if (kind < 0.08) return [[ringAround(random, [x, y], reach * (0.08 + 0.12 * random.next()), 5)]];
  if (kind < 0.2) {
    const apart = reach * 0.55;
    return [
      [ringAround(random, [x - apart, y], reach * 0.42, 6)],
      [ringAround(random, [x + apart, y], reach * 0.42, 5)],
    ];
  }
  const outer = ringAround(random, [x, y], reach * (0.6 + 0.4 * random.next()), random.integer(5, 9));
  if (kind >= 0.34) return [[outer]];
  const hole = outer.map(([px, py]): Point => [x + (px - x) * 0.35, y + (py - y) * 0.35]).reverse();
  return [[outer, hole]];
}

/** A star-shaped closed ring of so many corners. */
function ringAround(random: Random, [x, y]: Point, radius: number, corners: number): readonly Point[] {
  const turn = random.next() * Math.PI * 2;
  const ring = Array.from({ length: corners }, (_unused, index): Point => {
    const angle = turn + ((index + 0.6 * (random.next() - 0.5)) / corners) * Math.PI * 2;
    const distance = radius * (0.72 + 0.28 * random.next());
    return [x + distance * Math.cos(angle), y + distance * Math.sin(angle)];
  });
  return [...ring, ring[0] as Point];
}

/** From pixels to longitude and latitude, rounded to about a millimetre. */
function publish([column, row]: Point, { easting, northing, pixel }: Grid, zone: UtmZone): Point {
  const [longitude, latitude] = zone.inverse([easting + column * pixel, northing - row * pixel]);
  return [Number(longitude.toFixed(8)), Number(latitude.toFixed(8))];
}

function keepsClear(ring: readonly Point[]): boolean {
  for (let index = 1; index < ring.length; index++) {
    const [ax, ay] = ring[index - 1] as Point;
    const [bx, by] = ring[index] as Point;
    const length = Math.hypot(bx - ax, by - ay);
    for (let row = Math.floor(Math.min(ay, by)) - 1; row <= Math.max(ay, by) + 1; row++) {
      for (let column = Math.floor(Math.min(ax, bx)) - 1; column <= Math.max(ax, bx) + 1; column++) {
        const [x, y] = [column + 0.5, row + 0.5];
        const along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length;
        if (along < -1 || along > length + 1) continue;
        const across = Math.abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length;
        if (across < clearance) return false;
      }
    }
  }
  return true;
}

/** Pixels of the grid whose centre lies in the parcel, as row × width + column, ascending. */
export function pixelsOf(polygons: readonly Polygon[], grid: Grid): readonly number[] {
  const found: number[] = [];
  const edges = polygons
    .flat()
    .flatMap((ring) => ring.slice(1).map((point, index) => [ring[index] as Point, point] as const));
  const heights = edges.map(([[, y]]) => y);
  const from = Math.max(0, Math.floor(Math.min(...heights)));
  const to = Math.min(grid.height, Math.ceil(Math.max(...heights)));
  for (let row = from; row < to; row++) {
    const y = row + 0.5;
    const crossings = edges
      .filter(([[, ay], [, by]]) => ay > y !== by > y)
      .map(([[ax, ay], [bx, by]]) => ax + ((y - ay) / (by - ay)) * (bx - ax))
      .toSorted((one, other) => one - other);
    for (let index = 0; index + 1 < crossings.length; index += 2) {
      const first = Math.max(0, Math.ceil((crossings[index] as number) - 0.5));
      const last = Math.min(grid.width - 1, Math.floor((crossings[index + 1] as number) - 0.5));
      for (let column = first; column <= last; column++) found.push(row * grid.width + column);
    }
  }
  return found;
}
