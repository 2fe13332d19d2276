import type { RasterImage } from "./load-image.ts";

/** Brightness of one row, 0–255 (ITU-R BT.601 weights), over white where the image is transparent. */
export function lumaRow(image: RasterImage, row: number, into: Float64Array): void {
  const { data, width } = image;
  for (let column = 0; column < width; column++) {
    const at = (row * width + column) * 4;
    const opacity = (data[at + 3] ?? 255) / 255;
    const brightness = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
    into[column] = brightness * opacity + 255 * (1 - opacity);
  }
}
