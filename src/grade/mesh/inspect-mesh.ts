import {
  cornerOf,
  cross,
  dot,
  type Point,
  subtract,
  type TriangleMesh,
  triangleCount,
} from "./triangle-mesh.ts";

export interface MeshFacts {
  /** Enclosed volume, positive when normals point out; meaningless unless closed. */
  readonly volume: number;
  readonly area: number;
  readonly lowest: Point;
  readonly highest: Point;
  /** Every edge belongs to two triangles that pass it in opposite directions. */
  readonly closed: boolean;
  /** Edges that do not. */
  readonly openEdges: number;
  /** Parts that share no corner. */
  readonly shells: number;
  /** Handles of a closed mesh, summed over its shells: a plate with two holes has two. */
  readonly genus: number;
}

/**
 * Volume by the divergence theorem, area, extent, and whether the mesh closes. Corners count as the same within
 * a millionth of the mesh's extent; triangles that collapse by that are left out of the topology.
 */
export function inspectMesh(mesh: TriangleMesh): MeshFacts {
  const { lowest, highest } = extentOf(mesh);
  const grain = Math.max(...subtract(highest, lowest), Number.MIN_VALUE) * 1e-6;
  const vertexOf = numberVertices(lowest, grain);
  const edges = new Map<string, number>();
  const parents: number[] = [];
  let [volume, area, faces] = [0, 0, 0];
  for (let triangle = 0; triangle < triangleCount(mesh); triangle++) {
    const [a, b, c] = [0, 1, 2].map((corner) => cornerOf(mesh, triangle, corner)) as [Point, Point, Point];
    const normal = cross(subtract(b, a), subtract(c, a));
    area += Math.hypot(...normal) / 2;
    // From a corner of the extent, so that large coordinates cost no digits.
    volume += dot(subtract(a, lowest), normal) / 6;
    const [i, j, k] = [vertexOf(a), vertexOf(b), vertexOf(c)];
    if (i === j || j === k || k === i) continue;
    faces++;
    for (const [from, to] of [
      [i, j],
      [j, k],
      [k, i],
    ] as const) {
      join(parents, from, to);
      // Passed forward counts up, backward down: nothing is left of an edge that closes.
      const [key, way] = from < to ? [`${from} ${to}`, 1] : [`${to} ${from}`, -1];
      edges.set(key, (edges.get(key) ?? 0) + way);
    }
  }
  const openEdges = [...edges.values()].filter((passes) => passes !== 0).length;
  const used = parents.flatMap((_, index) => (parents[index] === undefined ? [] : [index]));
  const shells = used.filter((index) => rootOf(parents, index) === index).length;
  const euler = used.length - edges.size + faces;
  const genus = openEdges === 0 ? (2 * shells - euler) / 2 : 0;
  return { volume, area, lowest, highest, closed: openEdges === 0 && faces > 0, openEdges, shells, genus };
}

function extentOf({ corners }: TriangleMesh): { readonly lowest: Point; readonly highest: Point } {
  const lowest = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const highest = lowest.map((value) => -value);
  for (let index = 0; index < corners.length; index++) {
    const axis = index % 3;
    lowest[axis] = Math.min(lowest[axis] as number, corners[index] as number);
    highest[axis] = Math.max(highest[axis] as number, corners[index] as number);
  }
  return { lowest: lowest as unknown as Point, highest: highest as unknown as Point };
}

/** Numbers points from 0, those within `grain` of one seen before like that one. */
function numberVertices(origin: Point, grain: number): (point: Point) => number {
  const seen = new Map<string, number>();
  let next = 0;
  return (point) => {
    const place = point.map((value, axis) => (value - (origin[axis] as number)) / grain);
    const cells = place.map(Math.floor) as [number, number, number];
    const key = cells.join(" ");
    const known = seen.get(key);
    if (known !== undefined) return known;
    const number = next++;
    // The half of each neighbouring cell that is nearer than half a grain is taken as well.
    const ranges = place.map((value, axis) => {
      const cell = cells[axis] as number;
      return value - cell < 0.5 ? [cell - 1, cell] : [cell, cell + 1];
    }) as [number[], number[], number[]];
    for (const x of ranges[0]) {
      for (const y of ranges[1]) {
        for (const z of ranges[2]) {
          const near = `${x} ${y} ${z}`;
          if (!seen.has(near)) seen.set(near, number);
        }
      }
    }
    return number;
  };
}

function join(parents: number[], a: number, b: number): void {
  for (const index of [a, b]) parents[index] ??= index;
  parents[rootOf(parents, a)] = rootOf(parents, b);
}

function rootOf(parents: number[], index: number): number {
  let root = index;
  while (parents[root] !== root) {
    parents[root] = parents[parents[root] as number] as number;
    root = parents[root] as number;
  }
  return root;
}
