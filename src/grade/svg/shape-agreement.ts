import type { RasterImage } from "../image/load-image.ts";

export interface ShapeAgreement {
  /** Pixels in both / pixels in either; 0 when both are empty. */
  readonly overlap: number;
  /** Share of the drawn pixels that have the colour asked for. */
  readonly coloured: number;
}

/**
 * Compares a shape drawn alone on a transparent ground (drawn where alpha is at least one half) with what should be drawn.
 * @param inside whether a pixel belongs to the shape, by column and row.
 * @param colour red, green, blue; each channel may be off by 6.
 */
export function shapeAgreement(
  drawn: RasterImage,
  inside: (column: number, row: number) => boolean,
  colour: readonly [number, number, number],
): ShapeAgreement {
  let both = 0;
  let either = 0;
  let count = 0;
  let right = 0;
  for (let row = 0, at = 0; row < drawn.height; row++) {
    for (let column = 0; column < drawn.width; column++, at += 4) {
      const isDrawn = (drawn.data[at + 3] as number) >= 128;
      const isMeant = inside(column, row);
      if (isDrawn && isMeant) both++;
      if (isDrawn || isMeant) either++;
      if (!isDrawn) continue;
      count++;
      if (colour.every((value, channel) => Math.abs((drawn.data[at + channel] as number) - value) <= 6))
        right++;
    }
  }
  return { overlap: either === 0 ? 0 : both / either, coloured: count === 0 ? 0 : right / count };
}
