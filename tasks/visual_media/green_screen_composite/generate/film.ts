import type { Random } from "ale/contract/random";
import { compose, drawFigure, height, type Scene, width } from "../scene.ts";

/** Reach of the wall's light onto the figure's outline, in steps of a pixel. */
const spillReach = 7;
/** Green that the wall's light adds at the very outline, of 255. */
const spillMost = 38;

/** One frame of the footage: the figure, with the wall's light on it, before the unevenly lit wall; with grain. */
export function film(random: Random, scene: Scene, frame: number): Uint8Array {
  const figure = drawFigure(scene, frame);
  const colour = new Uint8Array(figure.colour);
  const nearness = outlineNearness(figure.alpha);
  for (let pixel = 0; pixel < nearness.length; pixel++) {
    const at = pixel * 3 + 1;
    colour[at] = Math.min(255, (colour[at] ?? 0) + Math.round(spillMost * (nearness[pixel] ?? 0)));
  }
  const wall = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const far = Math.hypot(column / width - 0.5, row / height - 0.5) / 0.7;
      for (const [channel, value] of scene.wall.entries()) {
        wall[(row * width + column) * 3 + channel] = Math.round(value * (1 - scene.falloff * far));
      }
    }
  }
  return compose({ alpha: figure.alpha, colour }, wall).map((value) =>
    Math.min(255, Math.max(0, value + random.integer(-2, 2))),
  );
}

/** 1 at the outline of a mask, falling to 0 within it. */
function outlineNearness(alpha: Float32Array): Float32Array {
  let inside: Float32Array = alpha.map((value) => (value > 0.5 ? 1 : 0));
  const nearness = new Float32Array(alpha.length);
  for (let step = 0; step < spillReach; step++) {
    const core = inside.map((value, pixel) =>
      Math.min(
        value,
        inside[pixel - 1] ?? 0,
        inside[pixel + 1] ?? 0,
        inside[pixel - width] ?? 0,
        inside[pixel + width] ?? 1,
      ),
    );
    for (let pixel = 0; pixel < core.length; pixel++) {
      if (inside[pixel] === 1 && core[pixel] === 0) nearness[pixel] = 1 - step / spillReach;
    }
    inside = core;
  }
  // Pixels outside, where the outline is thin, take all of it.
  return nearness.map((value, pixel) => (value === 0 && (alpha[pixel] ?? 0) <= 0.5 ? 1 : value));
}
