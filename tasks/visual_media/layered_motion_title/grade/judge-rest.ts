import type { Layer } from "../cue-sheet.ts";
import { type Box, boxAround } from "../truth/box.ts";
import { type LayerState, stateAt } from "../truth/state-at.ts";
import { type FrameView, isApart } from "./frame-view.ts";
import { absent } from "./judge-motion.ts";

/** A layer at rest in one frame. */
export interface RestingLook {
  /** Error where the layer is seen, as a share of the error that a picture without it has there. */
  readonly ratio: number;
  /** Mean difference of red, green and blue well within the layer, and how many pixels that is. */
  readonly colour: readonly [number, number, number];
  readonly pixels: number;
}

/** The layer stands still, seen, two frames before and after as well. */
export function isAtRest(layer: Layer, frame: number): boolean {
  const now = stateAt(layer, frame);
  const isStill = (other: LayerState): boolean =>
    other.isThere &&
    Math.max(Math.abs(other.x - now.x), Math.abs(other.y - now.y)) < 0.5 &&
    Math.abs(other.scale - now.scale) < 0.005 &&
    Math.abs(other.opacity - now.opacity) < 0.01;
  return now.isThere && now.opacity >= 0.5 && [-2, 2].every((step) => isStill(stateAt(layer, frame + step)));
}

/** How a layer looks in a frame in which it is at rest; a whole pixel off in any direction is forgiven. */
export function judgeLook(view: FrameView, layer: Layer): RestingLook | undefined {
  const patch = view.shot.patch(layer, view.index);
  const box = boxAround([patch], 2);
  if (patch === undefined || box === undefined) return undefined;
  const truth = view.expected(box);
  const bare = view.expected(box, { states: { [layer.id]: absent(stateAt(layer, view.index)) } });
  const seen = view.actual(box);
  const wide = box.right - box.left;
  const mask = maskOf(truth, bare, wide);
  const missing = shiftedError(bare, truth, mask, 0);
  let best = { shift: 0, error: shiftedError(seen, truth, mask, 0) };
  for (const shift of [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((across) => down * wide + across))) {
    const error = shiftedError(seen, truth, mask, shift);
    if (error < best.error) best = { shift, error };
  }
  const inner = innerPixels(view, layer, box);
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((channel) => {
    let sum = 0;
    for (const pixel of inner)
      sum += (seen[(pixel - best.shift) * 3 + channel] ?? 0) - (truth[pixel * 3 + channel] ?? 0);
    return sum;
  });
  return { ratio: best.error / missing, colour: [red, green, blue], pixels: inner.length };
}

/** Pixels that show the layer, and their neighbours; none at the edge of the box. */
function maskOf(truth: Float32Array, bare: Float32Array, wide: number): readonly number[] {
  const high = truth.length / 3 / wide;
  const near = new Set<number>();
  for (let row = 2; row < high - 2; row++) {
    for (let column = 2; column < wide - 2; column++) {
      const pixel = row * wide + column;
      if (!isApart(truth, bare, pixel)) continue;
      for (const step of [0, -1, 1, -wide, wide]) near.add(pixel + step);
    }
  }
  return [...near];
}

function shiftedError(
  seen: Float32Array,
  truth: Float32Array,
  mask: readonly number[],
  shift: number,
): number {
  let sum = 0;
  for (const pixel of mask) {
    for (let channel = 0; channel < 3; channel++)
      sum += Math.abs((seen[pixel * 3 + channel] ?? 0) - (truth[(pixel + shift) * 3 + channel] ?? 0));
  }
  return sum;
}

/** Pixels of the box that the layer covers as much as it ever does, all around as well, with nothing in front. */
function innerPixels(view: FrameView, layer: Layer, box: Box): readonly number[] {
  const { shot, index } = view;
  const wide = box.right - box.left;
  const coverOf = (other: Layer): Float32Array => {
    const cover = new Float32Array(wide * (box.bottom - box.top));
    const patch = shot.patch(other, index);
    if (patch === undefined) return cover;
    for (
      let row = Math.max(box.top, patch.top);
      row < Math.min(box.bottom, patch.top + patch.height);
      row++
    ) {
      const first = Math.max(box.left, patch.left);
      for (let column = first; column < Math.min(box.right, patch.left + patch.width); column++)
        cover[(row - box.top) * wide + column - box.left] =
          patch.alpha[(row - patch.top) * patch.width + column - patch.left] ?? 0;
    }
    return cover;
  };
  const own = coverOf(layer);
  const front = shot.layers.slice(shot.layers.indexOf(layer) + 1).map(coverOf);
  const full = stateAt(layer, index).opacity - 0.01;
  const pixels: number[] = [];
  for (let pixel = 2 * wide; pixel < own.length - 2 * wide; pixel++) {
    const around = [0, -1, 1, -wide, wide].map((step) => pixel + step);
    if (around.every((at) => (own[at] ?? 0) >= full && front.every((cover) => (cover[at] ?? 0) === 0)))
      pixels.push(pixel);
  }
  return pixels;
}
