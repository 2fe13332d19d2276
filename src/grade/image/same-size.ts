import type { Outcome } from "../outcome.ts";
import type { RasterImage } from "./load-image.ts";

/** 1 when width and height are the same, else 0. */
export function sameSize(
  actual: Pick<RasterImage, "width" | "height">,
  expected: Pick<RasterImage, "width" | "height">,
): Outcome {
  const same = actual.width === expected.width && actual.height === expected.height;
  return {
    score: same ? 1 : 0,
    message: `The image is ${actual.width} × ${actual.height} pixels, expected ${expected.width} × ${expected.height}.`,
  };
}
