/** Sums over the pixels of a region, to be added up over frames. */
export interface RegionSums {
  pixels: number;
  /** Absolute differences of the three channels, averaged, 0–255. */
  difference: number;
  /** Green too much, beyond what red and blue have too much on average. */
  spill: number;
}

export function emptySums(): RegionSums {
  return { pixels: 0, difference: 0, spill: 0 };
}

/**
 * Adds up how far two RGB pictures of one size differ in a region, given as indices of its pixels, row by row. Spill is
 * what a green screen leaves on its subject: a cast of green, not mere brightness.
 */
export function addRegion(
  sums: RegionSums,
  actual: Uint8Array,
  expected: Uint8Array,
  region: Int32Array,
): void {
  for (const pixel of region) {
    const at = pixel * 3;
    const red = (actual[at] ?? 0) - (expected[at] ?? 0);
    const green = (actual[at + 1] ?? 0) - (expected[at + 1] ?? 0);
    const blue = (actual[at + 2] ?? 0) - (expected[at + 2] ?? 0);
    sums.difference += (Math.abs(red) + Math.abs(green) + Math.abs(blue)) / 3;
    sums.spill += Math.max(0, green - (red + blue) / 2);
  }
  sums.pixels += region.length;
}

/** The mean over the region's pixels; 0 for a region without any. */
export function meanOf(sums: RegionSums, what: "difference" | "spill"): number {
  return sums.pixels === 0 ? 0 : sums[what] / sums.pixels;
}
