import type { RasterImage } from "ale/grade/image/load-image";

/** The screen of an Xvfb as it keeps it in a file: an XWD header of big-endian words, colours, then 32-bit pixels. */
export function readFramebuffer(file: Buffer): RasterImage {
  const word = (index: number): number => file.readUInt32BE(index * 4);
  const [headerBytes, width, height, stride, colours] = [word(0), word(4), word(5), word(12), word(19)];
  const start = headerBytes + colours * 12;
  const data = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const from = start + row * stride + column * 4;
      const to = (row * width + column) * 4;
      data[to] = file[from + 2] ?? 0;
      data[to + 1] = file[from + 1] ?? 0;
      data[to + 2] = file[from] ?? 0;
      data[to + 3] = 255;
    }
  }
  return { width, height, data };
}
