import { width } from "../cue-sheet.ts";
import { type Box, wholePicture } from "../truth/box.ts";
import type { Deviation, Shot } from "../truth/shot.ts";

/** A frame that was handed in, beside what it may be compared with. */
export interface FrameView {
  readonly index: number;
  readonly shot: Shot;
  /** The whole of what was handed in: red, green, blue a pixel. */
  readonly picture: Uint8Array;
  /** What was handed in, cut to a box. */
  actual(box: Box): Float32Array;
  /** The truth, or how it deviates, cut to a box. */
  expected(box: Box, deviation?: Deviation): Float32Array;
  /**
   * Whether the frame is nearer to the truth than to the deviation, either of them as it is or moved by a pixel. Undefined when
   * they look alike.
   */
  isTrueTo(box: Box, deviation: Deviation): boolean | undefined;
}

/** Difference in a channel from which on two pixels are told apart, of 255: what coding changes is less. */
const visible = 8;

/** Pixels that must be apart for two pictures not to look alike. */
const leastPixels = 40;

export function viewFrame(shot: Shot, index: number, picture: Uint8Array): FrameView {
  let truth: Float32Array | undefined;
  const actual = (box: Box): Float32Array => cut(picture, box);
  const expected = (box: Box, deviation?: Deviation): Float32Array => {
    if (deviation !== undefined) return shot.draw(index, box, deviation);
    truth ??= shot.draw(index, wholePicture);
    return cut(truth, box);
  };
  return {
    index,
    shot,
    picture,
    actual,
    expected,
    isTrueTo(box, deviation) {
      const wide = box.right - box.left;
      const [seen, own, other] = [actual(box), expected(box), expected(box, deviation)];
      if (countApart(own, other) < leastPixels) return undefined;
      return nearest(seen, own, wide) < nearest(seen, other, wide);
    },
  };
}

function cut(picture: Uint8Array | Float32Array, { left, top, right, bottom }: Box): Float32Array {
  const out = new Float32Array((right - left) * (bottom - top) * 3);
  for (let row = top; row < bottom; row++) {
    const line = picture.subarray((row * width + left) * 3, (row * width + right) * 3);
    out.set(line, (row - top) * (right - left) * 3);
  }
  return out;
}

/** Sum of absolute differences. */
export function difference(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum;
}

/** The least difference of a picture so wide from another, as it is or moved by a pixel to any side; its rim is left out. */
function nearest(one: Float32Array, other: Float32Array, wide: number): number {
  const high = one.length / 3 / wide;
  let least = Number.POSITIVE_INFINITY;
  for (const shift of [0, -3, 3, -3 * wide, 3 * wide]) {
    let sum = 0;
    for (let row = 1; row < high - 1 && sum < least; row++) {
      const end = (row * wide + wide - 1) * 3;
      for (let at = (row * wide + 1) * 3; at < end; at++)
        sum += Math.abs((one[at] ?? 0) - (other[at + shift] ?? 0));
    }
    least = Math.min(least, sum);
  }
  return least;
}

export function isApart(one: Float32Array, other: Float32Array, pixel: number): boolean {
  for (let at = pixel * 3; at < pixel * 3 + 3; at++)
    if (Math.abs((one[at] ?? 0) - (other[at] ?? 0)) > visible) return true;
  return false;
}

function countApart(one: Float32Array, other: Float32Array): number {
  let count = 0;
  for (let pixel = 0; pixel < one.length / 3; pixel++) if (isApart(one, other, pixel)) count++;
  return count;
}
