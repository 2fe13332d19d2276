import { AleError } from "../../contract/ale-error.ts";
import type { ScreenRegion } from "../screen.ts";
import { loadSharp } from "./load-sharp.ts";

/** All of a screen at one moment: pixels of three bytes, red, green, blue, row by row without gaps. */
export interface RgbFrame {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Reads a binary portable pixmap (P6, 255 levels), as QEMU dumps screens. Throws a `RangeError` for anything else. */
export function frameFromPixmap(bytes: Uint8Array): RgbFrame {
  const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(Buffer.from(bytes.subarray(0, 64)).toString("latin1"));
  if (header === null) throw new RangeError("not a pixmap");
  const [text, wide, high] = header;
  const [width, height] = [Number(wide), Number(high)];
  const pixels = bytes.subarray(text.length);
  if (pixels.length !== width * height * 3) throw new RangeError("a pixmap cut short");
  return { width, height, pixels };
}

/** Reads an encoded picture, of any format sharp knows. */
export async function frameFromPicture(bytes: Uint8Array): Promise<RgbFrame> {
  const sharp = await loadSharp();
  const decoded = sharp(bytes).removeAlpha().toColourspace("srgb").raw();
  const { data, info } = await decoded.toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

/** The part of a frame. Throws an `AleError` coded `screen-point` for one that is not wholly on the screen. */
export function cutFrame(frame: RgbFrame, region: ScreenRegion): RgbFrame {
  const { x, y, width, height } = region;
  const inside = x >= 0 && y >= 0 && x + width <= frame.width && y + height <= frame.height;
  if (!inside || width < 1 || height < 1) {
    throw new AleError({
      code: "screen-point",
      message: `The region ${width}×${height} at ${x},${y} is not on the screen of ${frame.width}×${frame.height}.`,
    });
  }
  const pixels = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * frame.width + x) * 3;
    pixels.set(frame.pixels.subarray(from, from + width * 3), row * width * 3);
  }
  return { width, height, pixels };
}
