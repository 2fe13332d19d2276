import { distanceToMesh } from "ale/grade/mesh/distance-to-mesh";
import type { MeshFacts } from "ale/grade/mesh/inspect-mesh";
import { sampleSurface } from "ale/grade/mesh/sample-surface";
import { deviationOf } from "ale/grade/mesh/surface-deviation";
import type { TriangleMesh } from "ale/grade/mesh/triangle-mesh";
import { gradedCloseness } from "ale/grade/number/graded-closeness";
import { linearScore } from "ale/grade/number/linear-score";
import type { Outcome } from "ale/grade/outcome";
import { type Dimensions, dimensionNames, volumeOf } from "../part/dimensions.ts";
import { type Feature, type Point, type Solid, solidOf } from "../part/solid.ts";

type Random = ReturnType<typeof import("ale/contract/random").createRandom>;

const tolerance = 0.1;

export function judgeVolume(facts: MeshFacts, part: Dimensions): Outcome {
  return gradedCloseness(facts.volume, volumeOf(part), { scale: "relative", tolerance: 0.003, limit: 0.05 });
}

/** The six sides of the bounding box. */
export function judgeExtent({ lowest, highest }: MeshFacts, part: Dimensions): Outcome {
  const high = [part.plate_length, part.plate_width, part.plate_thickness + part.wall_height];
  const off = [...lowest, ...highest].map(
    (value, side) => value - (side < 3 ? 0 : (high[side - 3] as number)),
  );
  const right = off.filter((value) => Math.abs(value) <= 0.05).length;
  return {
    score: right / 6,
    message: `${right} of 6 sides of the bounding box are right.`,
    evidence: off.map((value) => Math.round(value * 1000) / 1000),
  };
}

/** Share of the features whose faces the mesh has. */
export function judgeFeatures(mesh: TriangleMesh, part: Dimensions, random: Random): Outcome {
  const solid = solidOf(part);
  const distance = distanceToMesh(mesh);
  const shares = solid.features.map((feature) => {
    const points = pointsOn(feature, solid, 400, random.fork(feature.name));
    return { name: feature.name, ...deviationOf(points, distance, tolerance) };
  });
  const right = shares.filter(({ within }) => within >= 0.98).length;
  return {
    score: right / shares.length,
    message: `${right} of ${shares.length} features are where they should be.`,
    evidence: shares.map(
      ({ name, within, max }) => `${name}: ${Math.round(within * 1000) / 10} %, at most ${max.toFixed(2)} mm`,
    ),
  };
}

/** Share of the source's variables that have this part's values, within 0.01 mm. */
export function judgeVariables(values: readonly number[], part: Dimensions): Outcome {
  const wrong = dimensionNames.filter(
    (name, index) => !(Math.abs((values[index] as number) - part[name]) <= 0.01),
  );
  const count = dimensionNames.length;
  return {
    score: (count - wrong.length) / count,
    message: `${count - wrong.length} of ${count} variables have the part's values.`,
    evidence: wrong,
  };
}

/** Share of the mesh's surface that lies on the part's. */
export function judgeSurface(mesh: TriangleMesh, part: Dimensions, random: Random): Outcome {
  const { within, max } = deviationOf(sampleSurface(mesh, 6000, random), solidOf(part).field, tolerance);
  return {
    score: linearScore(within, 0.8, 0.998),
    message: `${Math.floor(within * 1000) / 10} % of the surface is within ${tolerance} mm, at worst ${max.toFixed(2)} mm off.`,
  };
}

/** Points on the faces of a feature that are faces of the whole: thrown near them, then drawn to them. */
function pointsOn(
  { field, regions }: Feature,
  solid: Solid,
  count: number,
  random: Random,
): readonly Point[] {
  const found: Point[] = [];
  for (let attempt = 0; attempt < 60 * count && found.length < count; attempt++) {
    const [low, high] = random.pick(regions);
    const start = [0, 1, 2].map((axis) => {
      const [from, to] = [(low[axis] as number) - 1, (high[axis] as number) + 1];
      return from + random.next() * (to - from);
    }) as unknown as Point;
    const point = drawTo(field, start);
    const isHere = point.every(
      (value, axis) => value >= (low[axis] as number) - 1e-6 && value <= (high[axis] as number) + 1e-6,
    );
    if (isHere && Math.abs(field(point)) < 1e-6 && Math.abs(solid.field(point)) < 1e-6) found.push(point);
  }
  return found;
}

/** Follows the field down its slope to where it is 0 (Newton's method, slopes by differences). */
function drawTo(field: Field, start: Point): Point {
  let point = start;
  for (let step = 0; step < 8; step++) {
    const value = field(point);
    const slope = [0, 1, 2].map((axis) => {
      const moved = point.map((coordinate, index) =>
        index === axis ? coordinate + 1e-5 : coordinate,
      ) as unknown as Point;
      return (field(moved) - value) / 1e-5;
    });
    const square = slope.reduce((sum, part) => sum + part * part, 0);
    if (square === 0) return point;
    point = point.map(
      (coordinate, axis) => coordinate - (value * (slope[axis] as number)) / square,
    ) as unknown as Point;
  }
  return point;
}

type Field = Solid["field"];
