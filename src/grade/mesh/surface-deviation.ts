import type { Random } from "../../contract/random.ts";
import { distanceToMesh } from "./distance-to-mesh.ts";
import { sampleSurface } from "./sample-surface.ts";
import type { Point, TriangleMesh } from "./triangle-mesh.ts";

/** How far points lie from a surface. */
export interface Deviation {
  readonly mean: number;
  readonly max: number;
  /** Share of the points within the tolerance. */
  readonly within: number;
}

export function deviationOf(
  points: readonly Point[],
  distance: (point: Point) => number,
  tolerance: number,
): Deviation {
  let [sum, max, near] = [0, 0, 0];
  for (const point of points) {
    const value = Math.abs(distance(point));
    sum += value;
    max = Math.max(max, value);
    if (value <= tolerance) near++;
  }
  const count = Math.max(1, points.length);
  return { mean: sum / count, max, within: near / count };
}

export interface MeshDeviationOptions {
  readonly tolerance: number;
  /** Points on each side, default 10,000. */
  readonly samples?: number;
  readonly random: Random;
}

/** The Hausdorff distance of two surfaces, sampled: of each to the other, and the larger of both. */
export function meshDeviation(
  actual: TriangleMesh,
  expected: TriangleMesh,
  options: MeshDeviationOptions,
): { readonly extra: Deviation; readonly missing: Deviation; readonly hausdorff: number } {
  const { tolerance, samples = 10_000, random } = options;
  const extra = deviationOf(
    sampleSurface(actual, samples, random.fork("actual")),
    distanceToMesh(expected),
    tolerance,
  );
  const missing = deviationOf(
    sampleSurface(expected, samples, random.fork("expected")),
    distanceToMesh(actual),
    tolerance,
  );
  return { extra, missing, hausdorff: Math.max(extra.max, missing.max) };
}
