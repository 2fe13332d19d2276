import { linearScore } from "../number/linear-score.ts";
import { numberText } from "../number/number-text.ts";
import type { Outcome } from "../outcome.ts";
import type { RasterImage } from "./load-image.ts";
import { lumaRow } from "./luma.ts";
import { sameSize } from "./same-size.ts";

export interface SimilarityScale {
  /** Measure from which the score is 1. */
  readonly fullAt: number;
  /** Measure at and below which the score is 0; linear between. */
  readonly zeroAt: number;
}

/**
 * Mean structural similarity of brightness in [−1, 1], 1 only for equal brightness: Gaussian window of 11 × 11
 * pixels (the largest odd one that fits a smaller image) with σ 1.5, K₁ 0.01, K₂ 0.03, range 255, windows fully inside
 * the image, without downsampling. Wang, Bovik, Sheikh and Simoncelli, "Image quality assessment", 2004. Symmetric;
 * memory O(width). The images must be of one size.
 */
export function meanSsim(first: RasterImage, second: RasterImage): number {
  const { width, height } = first;
  const least = Math.min(11, width, height);
  const size = least % 2 === 0 ? least - 1 : least;
  const kernel = gaussian(size, 1.5);
  const across = width - size + 1;
  // Rows already filtered along x: the means of a, b, a², b² and ab one after the other. A ring of as many rows as
  // the window is high.
  const ring = Array.from({ length: size }, () => new Float64Array(5 * across));
  const moments = new Float64Array(5 * across);
  const rowA = new Float64Array(width);
  const rowB = new Float64Array(width);
  let sum = 0;
  for (let row = 0; row < height; row++) {
    lumaRow(first, row, rowA);
    lumaRow(second, row, rowB);
    filterAlongX(rowA, rowB, kernel, ring[row % size] as Float64Array);
    if (row < size - 1) continue;
    moments.fill(0);
    for (let line = 0; line < size; line++) {
      addScaled(moments, ring[(row - size + 1 + line) % size] as Float64Array, kernel[line] ?? 0);
    }
    for (let column = 0; column < across; column++) sum += similarityAt(moments, column, across);
  }
  return sum / (across * (height - size + 1));
}

/** The score of {@link meanSsim} on a scale; images of different size score 0. */
export function structuralSimilarity(
  actual: RasterImage,
  expected: RasterImage,
  scale: SimilarityScale,
): Outcome {
  const size = sameSize(actual, expected);
  if (size.score < 1) return size;
  const ssim = meanSsim(actual, expected);
  const isFull = (value: number): boolean => value >= scale.fullAt;
  const text = numberText(ssim, (shown) => isFull(shown) === isFull(ssim));
  return {
    score: linearScore(ssim, scale.zeroAt, scale.fullAt),
    message: `Structural similarity ${text}; full score from ${scale.fullAt}.`,
    evidence: { ssim },
  };
}

function gaussian(size: number, deviation: number): Float64Array {
  const centre = (size - 1) / 2;
  const kernel = Float64Array.from({ length: size }, (_, index) =>
    Math.exp(-((index - centre) ** 2) / (2 * deviation ** 2)),
  );
  const sum = kernel.reduce((total, weight) => total + weight, 0);
  return kernel.map((weight) => weight / sum);
}

function addScaled(sums: Float64Array, values: Float64Array, weight: number): void {
  for (let index = 0; index < sums.length; index++)
    sums[index] = (sums[index] ?? 0) + weight * (values[index] ?? 0);
}

function filterAlongX(a: Float64Array, b: Float64Array, kernel: Float64Array, into: Float64Array): void {
  const across = into.length / 5;
  for (let column = 0; column < across; column++) {
    let sumA = 0;
    let sumB = 0;
    let sumAA = 0;
    let sumBB = 0;
    let sumAB = 0;
    for (let offset = 0; offset < kernel.length; offset++) {
      const weight = kernel[offset] ?? 0;
      const valueA = a[column + offset] ?? 0;
      const valueB = b[column + offset] ?? 0;
      sumA += weight * valueA;
      sumB += weight * valueB;
      sumAA += weight * valueA * valueA;
      sumBB += weight * valueB * valueB;
      sumAB += weight * valueA * valueB;
    }
    into[column] = sumA;
    into[across + column] = sumB;
    into[2 * across + column] = sumAA;
    into[3 * across + column] = sumBB;
    into[4 * across + column] = sumAB;
  }
}

function similarityAt(moments: Float64Array, column: number, across: number): number {
  const a = moments[column] ?? 0;
  const b = moments[across + column] ?? 0;
  const varianceA = (moments[2 * across + column] ?? 0) - a * a;
  const varianceB = (moments[3 * across + column] ?? 0) - b * b;
  const covariance = (moments[4 * across + column] ?? 0) - a * b;
  const c1 = (0.01 * 255) ** 2;
  const c2 = (0.03 * 255) ** 2;
  return ((2 * a * b + c1) * (2 * covariance + c2)) / ((a * a + b * b + c1) * (varianceA + varianceB + c2));
}
