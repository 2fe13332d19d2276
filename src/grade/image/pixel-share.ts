import type { Outcome } from "../outcome.ts";
import type { RasterImage } from "./load-image.ts";
import { sameSize } from "./same-size.ts";

/**
 * Share of the pixels of which no channel is off by more than `tolerance` (0–255, default 0, inclusive). The colour
 * of a pixel that is transparent in both does not count. Images of different size score 0.
 */
export function pixelShare(
  actual: RasterImage,
  expected: RasterImage,
  options: { readonly tolerance?: number } = {},
): Outcome {
  const size = sameSize(actual, expected);
  if (size.score < 1) return size;
  const { tolerance = 0 } = options;
  const pixels = expected.width * expected.height;
  let right = 0;
  for (let at = 0; at < expected.data.length; at += 4) {
    const clear = actual.data[at + 3] === 0 && expected.data[at + 3] === 0;
    let worst = 0;
    for (let channel = at; channel < at + 4; channel++) {
      worst = Math.max(worst, Math.abs((actual.data[channel] ?? 0) - (expected.data[channel] ?? 0)));
    }
    if (clear || worst <= tolerance) right++;
  }
  return { score: right / pixels, message: `${right} of ${pixels} pixels are right within ${tolerance}.` };
}
