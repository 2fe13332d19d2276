import { numberText } from "../number/number-text.ts";
import type { Outcome } from "../outcome.ts";
import type { RasterImage } from "./load-image.ts";

/**
 * How alike the colours are, wherever they stand: 1 − half the sum of absolute differences between the two
 * histograms (the intersection of Swain and Ballard, "Color indexing", 1991) over 8 levels of red, green and blue,
 * with all transparent pixels as one more colour. Sizes may differ. Symmetric.
 */
export function paletteSimilarity(actual: RasterImage, expected: RasterImage): Outcome {
  const found = histogram(actual);
  const wanted = histogram(expected);
  const pixelsFound = actual.width * actual.height;
  const pixelsWanted = expected.width * expected.height;
  // In whole numbers, so that equal shares are found equal.
  let difference = 0;
  for (const [bin, count] of found.entries()) {
    difference += Math.abs(count * pixelsWanted - (wanted[bin] ?? 0) * pixelsFound);
  }
  const score = 1 - difference / (2 * pixelsFound * pixelsWanted);
  return {
    score,
    message: `${numberText(score * 100, (shown) => (shown === 100) === (score === 1))} % of the colours agree.`,
    evidence: { similarity: score },
  };
}

function histogram({ data }: RasterImage): Float64Array {
  const counts = new Float64Array(513);
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    const bin = alpha < 128 ? 512 : ((red >> 5) << 6) | ((green >> 5) << 3) | (blue >> 5);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}
