import type { SvgPath } from "./svg-tree.ts";

/** x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type SvgMatrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

const identity: SvgMatrix = [1, 0, 0, 1, 0, 0];

/** The matrix of a `transform` attribute; what is not understood counts as no transform, as renderers have it. */
export function parseTransform(text: string): SvgMatrix {
  let matrix = identity;
  for (const [, kind = "", list = ""] of text.matchAll(/([a-zA-Z]+)\s*\(([^)]*)\)/g)) {
    const numbers = list
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    const next = matrixOf(kind, numbers);
    if (next === undefined || !next.every(Number.isFinite)) return identity;
    matrix = multiply(matrix, next);
  }
  return matrix;
}

/** From an element's own units to those of the root. */
export function matrixTo(path: SvgPath): SvgMatrix {
  return path
    .slice(1)
    .reduce<SvgMatrix>(
      (matrix, element) => multiply(matrix, parseTransform(element.attributes.get("transform") ?? "")),
      identity,
    );
}

export function applyMatrix(
  [a, b, c, d, e, f]: SvgMatrix,
  x: number,
  y: number,
): readonly [x: number, y: number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

function matrixOf(kind: string, numbers: readonly number[]): SvgMatrix | undefined {
  const [first = Number.NaN, second, third] = numbers;
  switch (kind) {
    case "matrix":
      return numbers.length === 6 ? (numbers as unknown as SvgMatrix) : undefined;
    case "translate":
      return [1, 0, 0, 1, first, second ?? 0];
    case "scale":
      return [first, 0, 0, second ?? first, 0, 0];
    case "rotate": {
      const angle = (first * Math.PI) / 180;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const [x, y] = [second ?? 0, third ?? 0];
      return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
    }
    case "skewX":
      return [1, 0, Math.tan((first * Math.PI) / 180), 1, 0, 0];
    case "skewY":
      return [1, Math.tan((first * Math.PI) / 180), 0, 1, 0, 0];
    default:
      return undefined;
  }
}

function multiply(left: SvgMatrix, right: SvgMatrix): SvgMatrix {
  const [a, b, c, d, e, f] = left;
  const [g, h, i, j, k, l] = right;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
