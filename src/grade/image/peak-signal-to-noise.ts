import { linearScore } from "../number/linear-score.ts";
import { numberText } from "../number/number-text.ts";
import type { Outcome } from "../outcome.ts";
import type { RasterImage } from "./load-image.ts";
import { sameSize } from "./same-size.ts";
import type { SimilarityScale } from "./structural-similarity.ts";

/** Mean squared error over the four channels, 0–65025; the colour of a fully transparent pixel does not count. */
export function meanSquaredError(first: RasterImage, second: RasterImage): number {
  let sum = 0;
  for (let at = 0; at < first.data.length; at += 4) {
    const alphaA = first.data[at + 3] ?? 0;
    const alphaB = second.data[at + 3] ?? 0;
    sum += (alphaA - alphaB) ** 2;
    for (let channel = at; channel < at + 3; channel++) {
      const a = alphaA === 0 ? 0 : (first.data[channel] ?? 0);
      const b = alphaB === 0 ? 0 : (second.data[channel] ?? 0);
      sum += (a - b) ** 2;
    }
  }
  return sum / first.data.length;
}

/**
 * Peak signal-to-noise ratio, 10·log₁₀(255² / mean squared error) in decibels, on a scale in decibels. Equal images
 * score 1; of different size 0. 40 dB is hardly visible, 20 dB is plain to see.
 */
export function peakSignalToNoise(
  actual: RasterImage,
  expected: RasterImage,
  scale: SimilarityScale,
): Outcome {
  const size = sameSize(actual, expected);
  if (size.score < 1) return size;
  const error = meanSquaredError(actual, expected);
  if (error === 0) return { score: 1, message: "The images are equal." };
  const decibels = 10 * Math.log10(255 ** 2 / error);
  const isFull = (value: number): boolean => value >= scale.fullAt;
  const text = numberText(decibels, (shown) => isFull(shown) === isFull(decibels));
  return {
    score: linearScore(decibels, scale.zeroAt, scale.fullAt),
    message: `Signal-to-noise ratio ${text} dB; full score from ${scale.fullAt} dB.`,
    evidence: { decibels },
  };
}
