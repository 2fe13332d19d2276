/** A point or vector: x, y, z, in the file's unit. */
export type Point = readonly [x: number, y: number, z: number];

/** Triangles, nine numbers each: the corners one after the other, counter-clockwise seen from outside. */
export interface TriangleMesh {
  readonly corners: Float64Array;
}

/** The number of triangles. */
export function triangleCount(mesh: TriangleMesh): number {
  return mesh.corners.length / 9;
}

/** Corner 0, 1 or 2 of a triangle. */
export function cornerOf(mesh: TriangleMesh, triangle: number, corner: number): Point {
  const at = 9 * triangle + 3 * corner;
  return [mesh.corners[at] as number, mesh.corners[at + 1] as number, mesh.corners[at + 2] as number];
}

export function subtract(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
