import { closeSync, openSync, readSync } from "node:fs";
import { height, width } from "../scene.ts";

/** Columns at the left of the picture where nobody stands. */
const clear = 24;

/** The mean colour of the wall at the left of the first frame of a YUV4MPEG2 file, 4:4:4. */
export function wallColour(path: string): readonly [number, number, number] {
  const size = width * height;
  const file = Buffer.alloc(size * 3 + 256);
  const handle = openSync(path, "r");
  readSync(handle, file);
  closeSync(handle);
  const start = file.indexOf("FRAME\n") + 6;
  const mean = (plane: number): number => {
    let sum = 0;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < clear; column++)
        sum += file[start + plane * size + row * width + column] ?? 0;
    }
    return sum / (height * clear);
  };
  const [luma, blueness, redness] = [(mean(0) - 16) * (255 / 219), mean(1) - 128, mean(2) - 128];
  return [luma + 1.596 * redness, luma - 0.392 * blueness - 0.813 * redness, luma + 2.017 * blueness];
}
