import type { Random } from "ale/contract/random";

export const width = 384;
export const height = 216;
export const frameRate = 25;
/** Frames of the footage. */
export const footageFrames = 75;

type Colour = readonly [red: number, green: number, blue: number];

/** What the camera saw: a figure that walks and sways before a green wall. All lengths in pixels, times in frames. */
export interface Scene {
  readonly head: Colour;
  readonly coat: Colour;
  readonly start: number;
  /** Pixels a frame. */
  readonly speed: number;
  readonly sway: number;
  readonly period: number;
  readonly wall: Colour;
  /** How much darker the wall is at its edges, as a share. */
  readonly falloff: number;
  /** Two colours of the new background, above and below. */
  readonly sky: Colour;
  readonly ground: Colour;
  readonly hills: number;
}

/** In the figure's own colours green lies midway between red and blue, so that a cast of green can be told from paint. */
export function makeScene(random: Random): Scene {
  const warm = random.next() < 0.5;
  const between = (red: number, blue: number): Colour => [red, Math.round((red + blue) / 2), blue];
  return {
    head: between(random.integer(205, 230), random.integer(125, 140)),
    coat: warm
      ? between(random.integer(180, 205), random.integer(70, 100))
      : between(random.integer(50, 70), random.integer(160, 190)),
    start: random.integer(85, 110),
    speed: 1.7 + random.next() * 0.6,
    sway: random.integer(2, 3),
    period: random.integer(25, 33),
    wall: [random.integer(30, 50), random.integer(175, 195), random.integer(60, 80)],
    falloff: 0.1 + random.next() * 0.06,
    sky: [random.integer(150, 180), random.integer(170, 190), random.integer(215, 235)],
    ground: [random.integer(110, 130), random.integer(90, 105), random.integer(70, 90)],
    hills: random.integer(14, 26),
  };
}

/** The figure at one moment: how much of each pixel it covers, and its own colour there. */
export interface Figure {
  readonly alpha: Float32Array;
  /** How far within the outline a pixel lies, in pixels; negative outside. */
  readonly inside: Float32Array;
  readonly colour: Uint8Array;
}

/** Width of the soft outline, in pixels: focus and motion. */
export const softness = 2.4;

export function drawFigure(scene: Scene, frame: number): Figure {
  const alpha = new Float32Array(width * height);
  const inside = new Float32Array(width * height);
  const colour = new Uint8Array(width * height * 3);
  const across = scene.start + scene.speed * frame;
  const lean = scene.sway * Math.sin((2 * Math.PI * frame) / scene.period);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const head = 24 - Math.hypot(column - across - lean, row - 66);
      const half = 26 + (row - 92) * 0.16;
      const middle = across + lean * Math.max(0, 1 - (row - 92) / 110);
      const coat = Math.min(half - Math.abs(column - middle), row - 92);
      const pixel = row * width + column;
      inside[pixel] = Math.max(head, coat);
      const cover = Math.min(1, Math.max(0, 0.5 + (inside[pixel] ?? 0) / softness));
      if (cover === 0) continue;
      alpha[pixel] = cover;
      const paint = head > coat ? scene.head : scene.coat;
      const light = 1 - 0.12 * Math.min(1, Math.max(-1, (column - middle) / 40));
      for (let channel = 0; channel < 3; channel++) {
        colour[pixel * 3 + channel] = Math.round((paint[channel] ?? 0) * light);
      }
    }
  }
  return { alpha, inside, colour };
}

/** The background plate. */
export function drawPlate(scene: Scene): Uint8Array {
  const plate = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const horizon = 128 + scene.hills * Math.sin(column / 41) + 6 * Math.sin(column / 13);
      const isSky = row < horizon;
      const shade = isSky ? 0.8 + (0.2 * row) / horizon : 1 - (0.35 * (row - horizon)) / height;
      for (const [channel, value] of (isSky ? scene.sky : scene.ground).entries()) {
        plate[(row * width + column) * 3 + channel] = Math.round(value * shade);
      }
    }
  }
  return plate;
}

/** The figure over a picture. */
export function compose({ alpha, colour }: Pick<Figure, "alpha" | "colour">, behind: Uint8Array): Uint8Array {
  const picture = new Uint8Array(behind.length);
  for (let at = 0; at < behind.length; at++) {
    const cover = alpha[Math.floor(at / 3)] ?? 0;
    picture[at] = Math.round(cover * (colour[at] ?? 0) + (1 - cover) * (behind[at] ?? 0));
  }
  return picture;
}
