import type { Layer } from "../cue-sheet.ts";
import { type Box, boxAround } from "../truth/box.ts";
import type { Patch } from "../truth/draw-layer.ts";
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

/**
 * How a layer looks in a frame in which it is at rest; a whole pixel off in any direction is forgiven. What other layers in front
 * do is not its fault: their places are left out, the gaps between letters too.
 */
export function judgeLook(view: FrameView, layer: Layer): RestingLook | undefined {
  const patch = view.shot.patch(layer, view.index);
  const box = boxAround([patch], 2);
  if (patch === undefined || box === undefined) return undefined;
  const truth = view.expected(box);
  const bare = view.expected(box, { states: { [layer.id]: absent(stateAt(layer, view.index)) } });
  const seen = view.actual(box);
  const wide = box.right - box.left;
  const isFree = freePlaces(view, layer, box);
  const mask = maskOf(truth, bare, wide).filter(isFree);
  if (mask.length === 0) return undefined;
  let best = { shift: 0, error: shiftedError(seen, truth, mask, 0) };
  for (const shift of [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((across) => down * wide + across))) {
    const error = shiftedError(seen, truth, mask, shift);
    if (error < best.error) best = { shift, error };
  }
  const inner = innerPixels(patch, stateAt(layer, view.index).opacity, box).filter(isFree);
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((channel) => {
    let sum = 0;
    for (const pixel of inner)
      sum += (seen[(pixel - best.shift) * 3 + channel] ?? 0) - (truth[pixel * 3 + channel] ?? 0);
    return sum;
  });
  const missing = shiftedError(bare, truth, mask, 0);
  return { ratio: best.error / missing, colour: [red, green, blue], pixels: inner.length };
}

/** Whether a pixel of the box, by its index, lies beyond a few pixels of the patch of any layer in front. */
function freePlaces({ shot, index }: FrameView, layer: Layer, box: Box): (pixel: number) => boolean {
  const margin = 3;
  const front = shot.layers
    .slice(shot.layers.indexOf(layer) + 1)
    .map((other) => boxAround([shot.patch(other, index)], margin))
    .filter((place) => place !== undefined);
  const wide = box.right - box.left;
  return (pixel) => {
    const [column, row] = [box.left + (pixel % wide), box.top + Math.floor(pixel / wide)];
    return !front.some(
      ({ left, top, right, bottom }) => column >= left && column < right && row >= top && row < bottom,
    );
  };
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

/** The sum of the differences in the masked pixels from the truth moved by so many. */
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

/** Pixels of the box that the layer covers as much as it ever does, all around as well. */
function innerPixels(patch: Patch, opacity: number, box: Box): readonly number[] {
  const wide = box.right - box.left;
  const isFull = (column: number, row: number): boolean =>
    column >= 0 &&
    column < patch.width &&
    row >= 0 &&
    row < patch.height &&
    (patch.alpha[row * patch.width + column] ?? 0) >= opacity - 0.01;
  const pixels: number[] = [];
  for (let row = box.top + 2; row < box.bottom - 2; row++) {
    for (let column = box.left + 2; column < box.right - 2; column++) {
      const [across, down] = [column - patch.left, row - patch.top];
      const isInner =
        isFull(across, down) &&
        isFull(across - 1, down) &&
        isFull(across + 1, down) &&
        isFull(across, down - 1) &&
        isFull(across, down + 1);
      if (isInner) pixels.push((row - box.top) * wide + column - box.left);
    }
  }
  return pixels;
}
