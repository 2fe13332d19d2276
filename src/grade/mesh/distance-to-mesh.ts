import {
  cornerOf,
  cross,
  dot,
  type Point,
  subtract,
  type TriangleMesh,
  triangleCount,
} from "./triangle-mesh.ts";

interface Box {
  readonly lowest: Point;
  readonly highest: Point;
}

type Node = Box & ({ readonly triangles: readonly number[] } | { readonly children: readonly [Node, Node] });

const leafSize = 8;

/** The distance from a point to the nearest point of the mesh's surface, for many points: a tree of boxes is built once. */
export function distanceToMesh(mesh: TriangleMesh): (point: Point) => number {
  const triangles = Array.from({ length: triangleCount(mesh) }, (_, index) => index);
  const root = build(mesh, triangles);
  return (point) => Math.sqrt(search(mesh, root, point, Number.POSITIVE_INFINITY));
}

function build(mesh: TriangleMesh, triangles: readonly number[]): Node {
  const box = boxOf(mesh, triangles);
  if (triangles.length <= leafSize) return { ...box, triangles };
  const size = subtract(box.highest, box.lowest);
  const axis = size.indexOf(Math.max(...size));
  const middle = (triangle: number): number =>
    [0, 1, 2].reduce((sum, corner) => sum + (cornerOf(mesh, triangle, corner)[axis] as number), 0);
  const keyed = triangles
    .map((triangle) => ({ triangle, key: middle(triangle) }))
    .sort((a, b) => a.key - b.key);
  const sorted = keyed.map(({ triangle }) => triangle);
  const half = Math.floor(sorted.length / 2);
  return { ...box, children: [build(mesh, sorted.slice(0, half)), build(mesh, sorted.slice(half))] };
}

function boxOf(mesh: TriangleMesh, triangles: readonly number[]): Box {
  const lowest = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const highest = lowest.map((value) => -value);
  for (const triangle of triangles) {
    for (let corner = 0; corner < 3; corner++) {
      for (const [axis, value] of cornerOf(mesh, triangle, corner).entries()) {
        lowest[axis] = Math.min(lowest[axis] as number, value);
        highest[axis] = Math.max(highest[axis] as number, value);
      }
    }
  }
  return { lowest: lowest as unknown as Point, highest: highest as unknown as Point };
}

/** Squared distance to the nearest triangle, or `best` when none is nearer. */
function search(mesh: TriangleMesh, node: Node, point: Point, best: number): number {
  if (squareToBox(node, point) >= best) return best;
  if ("triangles" in node) {
    return node.triangles.reduce(
      (nearest, triangle) => Math.min(nearest, squareToTriangle(mesh, triangle, point)),
      best,
    );
  }
  const [first, second] = node.children;
  const [near, far] =
    squareToBox(first, point) <= squareToBox(second, point) ? [first, second] : [second, first];
  return search(mesh, far, point, search(mesh, near, point, best));
}

function squareToBox({ lowest, highest }: Box, point: Point): number {
  let sum = 0;
  for (let axis = 0; axis < 3; axis++) {
    const value = point[axis] as number;
    const outside = Math.max((lowest[axis] as number) - value, 0, value - (highest[axis] as number));
    sum += outside * outside;
  }
  return sum;
}

/** To the plane where the point lies above the triangle, else to the nearest edge. */
function squareToTriangle(mesh: TriangleMesh, triangle: number, point: Point): number {
  const corners = [0, 1, 2].map((corner) => cornerOf(mesh, triangle, corner)) as [Point, Point, Point];
  const [a, b, c] = corners;
  const normal = cross(subtract(b, a), subtract(c, a));
  const length = dot(normal, normal);
  const isAbove =
    length > 0 &&
    corners.every((corner, index) => {
      const next = corners[(index + 1) % 3] as Point;
      return dot(cross(subtract(next, corner), subtract(point, corner)), normal) >= 0;
    });
  if (isAbove) return dot(subtract(point, a), normal) ** 2 / length;
  return Math.min(squareToEdge(a, b, point), squareToEdge(b, c, point), squareToEdge(c, a, point));
}

function squareToEdge(a: Point, b: Point, point: Point): number {
  const along = subtract(b, a);
  const square = dot(along, along);
  const share = square === 0 ? 0 : Math.min(1, Math.max(0, dot(subtract(point, a), along) / square));
  const near = subtract(point, [a[0] + share * along[0], a[1] + share * along[1], a[2] + share * along[2]]);
  return dot(near, near);
}
