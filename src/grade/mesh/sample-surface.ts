import type { Random } from "../../contract/random.ts";
import { cornerOf, cross, type Point, subtract, type TriangleMesh, triangleCount } from "./triangle-mesh.ts";

/** Points spread evenly over a mesh's surface, by area. */
export function sampleSurface(mesh: TriangleMesh, count: number, random: Random): readonly Point[] {
  const sums: number[] = [];
  let total = 0;
  for (let triangle = 0; triangle < triangleCount(mesh); triangle++) {
    const [a, b, c] = [0, 1, 2].map((corner) => cornerOf(mesh, triangle, corner)) as [Point, Point, Point];
    total += Math.hypot(...cross(subtract(b, a), subtract(c, a)));
    sums.push(total);
  }
  return Array.from({ length: count }, () => {
    const triangle = firstAbove(sums, random.next() * total);
    const [a, b, c] = [0, 1, 2].map((corner) => cornerOf(mesh, triangle, corner)) as [Point, Point, Point];
    // Uniform on the triangle (Osada et al., 2002).
    const [root, share] = [Math.sqrt(random.next()), random.next()];
    const [u, v, w] = [1 - root, root * (1 - share), root * share];
    return [
      u * a[0] + v * b[0] + w * c[0],
      u * a[1] + v * b[1] + w * c[1],
      u * a[2] + v * b[2] + w * c[2],
    ] as const;
  });
}

function firstAbove(sums: readonly number[], value: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
