import type { DiscLayer, ImageLayer, Layer, RectangleLayer, TextLayer } from "../cue-sheet.ts";
import { type Colour, drawLogo, type Logo, logoSide } from "../logo.ts";
import type { SetText } from "./set-text.ts";
import type { LayerState } from "./state-at.ts";

/** What a layer looks like where it is: a part of the picture, which may reach beyond its edges. */
export interface Patch {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Cover times opacity, 0–1, a pixel. */
  readonly alpha: Float32Array;
  /** One colour, or red, green, blue a pixel. */
  readonly colour: Colour | Float32Array;
}

/** What layers are made of beyond the cue sheet. */
export interface Materials {
  readonly logo: Logo;
  /** Each text layer's line, by the layer's id. */
  readonly lines: ReadonlyMap<string, SetText>;
}

/** Draws a layer alone, at a state in which it is there, without the matte of another layer. */
export function drawLayer(
  layer: Layer,
  state: LayerState,
  materials: Materials,
  isMatted: boolean = true,
): Patch {
  switch (layer.kind) {
    case "rectangle":
      return drawRectangle(layer, state);
    case "disc":
      return drawDisc(layer, state);
    case "image":
      return drawImage(layer, state, materials.logo);
    case "text":
      return drawText(layer, state, materials, isMatted);
  }
}

/** @param cover of the pixel at this column and row of the picture, 0–1. */
function fill(
  box: readonly [left: number, top: number, right: number, bottom: number],
  colour: Patch["colour"],
  cover: (column: number, row: number) => number,
): Patch {
  const [left, top] = [Math.floor(box[0]), Math.floor(box[1])];
  const width = Math.max(0, Math.ceil(box[2]) - left);
  const height = Math.max(0, Math.ceil(box[3]) - top);
  const alpha = new Float32Array(width * height);
  for (let at = 0; at < alpha.length; at++)
    alpha[at] = cover(left + (at % width), top + Math.floor(at / width));
  return { left, top, width, height, alpha, colour };
}

/** How much of the pixel from `at` to `at + 1` lies between two bounds. */
function overlap(at: number, low: number, high: number): number {
  return Math.max(0, Math.min(at + 1, high) - Math.max(at, low));
}

function drawRectangle({ width, height, colour }: RectangleLayer, { x, y, opacity }: LayerState): Patch {
  const box = [x, y, x + width, y + height] as const;
  return fill(
    box,
    parseColour(colour),
    (column, row) => opacity * overlap(column, x, x + width) * overlap(row, y, y + height),
  );
}

function drawDisc({ radius, colour }: DiscLayer, { x, y, opacity }: LayerState): Patch {
  const reach = radius + 1;
  return fill([x - reach, y - reach, x + reach, y + reach], parseColour(colour), (column, row) => {
    const inside = radius + 0.5 - Math.hypot(column + 0.5 - x, row + 0.5 - y);
    return opacity * Math.min(1, Math.max(0, inside));
  });
}

function drawImage(_layer: ImageLayer, { x, y, opacity, scale }: LayerState, logo: Logo): Patch {
  const radius = (logoSide / 2) * scale;
  const [left, top] = [Math.floor(x - radius), Math.floor(y - radius)];
  const side = Math.ceil(2 * radius) + 2;
  const drawn = drawLogo(logo, side, x - left, y - top, radius);
  const colour = new Float32Array(side * side * 3);
  for (let pixel = 0; pixel < side * side; pixel++)
    colour.set(drawn.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
  return fill(
    [left, top, left + side, top + side],
    colour,
    (column, row) => opacity * (drawn[((row - top) * side + column - left) * 4 + 3] ?? 0),
  );
}

function drawText(
  layer: TextLayer,
  { x, y, opacity }: LayerState,
  { lines }: Materials,
  isMatted: boolean,
): Patch {
  const line = lines.get(layer.id);
  if (line === undefined) throw new Error(`the line of ${layer.id} is not set`);
  const start = layer.anchor === "start" ? x : x - line.advance;
  const coverAt = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= line.width || row >= line.height
      ? 0
      : (line.cover[row * line.width + column] ?? 0);
  const [left, top] = [start + line.left, y + line.top];
  const box = [left, top, left + line.width + 1, top + line.height + 1] as const;
  const [across, down] = [left - Math.floor(left), top - Math.floor(top)];
  const matte = isMatted ? layer.matte?.box : undefined;
  return fill(box, parseColour(layer.colour), (column, row) => {
    const [u, v] = [column - Math.floor(left), row - Math.floor(top)];
    const upper = (1 - across) * coverAt(u, v - 1) + across * coverAt(u - 1, v - 1);
    const lower = (1 - across) * coverAt(u, v) + across * coverAt(u - 1, v);
    const seen =
      matte === undefined
        ? 1
        : overlap(column, matte[0], matte[0] + matte[2]) * overlap(row, matte[1], matte[1] + matte[3]);
    return opacity * seen * (down * upper + (1 - down) * lower);
  });
}

export function parseColour(text: string): Colour {
  const [red = 0, green = 0, blue = 0] = (text.match(/[0-9a-f]{2}/gi) ?? []).map((two) =>
    Number.parseInt(two, 16),
  );
  return [red, green, blue];
}
