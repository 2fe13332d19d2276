/** A simple figure, in millimetres from the page's upper left corner. */
export type Figure =
  | { readonly kind: "circle"; readonly x: number; readonly y: number; readonly r: number }
  | {
      readonly kind: "rectangle";
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
    }
  | { readonly kind: "polygon"; readonly points: readonly (readonly [x: number, y: number])[] };

/** How the figures after the first change what it covers. */
export type Joining = "alone" | "cut" | "join" | "keep";

export interface Shape {
  readonly id: string;
  readonly layer: "backdrop" | "shapes";
  /** `#rrggbb`. */
  readonly fill: string;
  readonly joining: Joining;
  readonly figures: readonly [Figure, ...Figure[]];
}

export interface Line {
  readonly id: string;
  readonly text: string;
  readonly size: number;
  readonly weight: "normal" | "bold";
  readonly anchor: "start" | "middle" | "end";
  readonly x: number;
  readonly y: number;
  readonly fill: string;
}

export interface Poster {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
  readonly lines: readonly Line[];
  /** Of the logo: x, y, width, height. */
  readonly logoBox: readonly [number, number, number, number];
}

export const layers = ["backdrop", "shapes", "logo", "text"] as const;

/** Whether a point lies in a shape, for many points. */
export function coverOf({ figures, joining }: Shape): (x: number, y: number) => boolean {
  const [first, ...others] = figures.map(insideOf) as [Inside, ...Inside[]];
  switch (joining) {
    case "alone":
      return first;
    case "join":
      return (x, y) => first(x, y) || others.some((other) => other(x, y));
    case "keep":
      return (x, y) => first(x, y) && others.every((other) => other(x, y));
    case "cut":
      return (x, y) => first(x, y) && !others.some((other) => other(x, y));
  }
}

type Inside = (x: number, y: number) => boolean;

function insideOf(figure: Figure): Inside {
  if (figure.kind === "circle") {
    const square = figure.r ** 2;
    return (x, y) => (x - figure.x) ** 2 + (y - figure.y) ** 2 <= square;
  }
  if (figure.kind === "rectangle") {
    const [right, bottom] = [figure.x + figure.width, figure.y + figure.height];
    return (x, y) => x >= figure.x && x <= right && y >= figure.y && y <= bottom;
  }
  const { points } = figure;
  const [left, right] = bounds(points.map(([x]) => x));
  const [top, bottom] = bounds(points.map(([, y]) => y));
  return (x, y) => x >= left && x <= right && y >= top && y <= bottom && isInside(points, x, y);
}

function bounds(values: readonly number[]): readonly [lowest: number, highest: number] {
  return [Math.min(...values), Math.max(...values)];
}

/** By how often a ray to the left crosses the outline. */
function isInside(points: readonly (readonly [number, number])[], x: number, y: number): boolean {
  let inside = false;
  for (let index = 0; index < points.length; index++) {
    const [ax, ay] = points[index] as readonly [number, number];
    const [bx, by] = points.at(index - 1) as readonly [number, number];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/** `#1b263b` as red, green, blue. */
export function colourOf(fill: string): readonly [number, number, number] {
  const value = Number.parseInt(fill.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
