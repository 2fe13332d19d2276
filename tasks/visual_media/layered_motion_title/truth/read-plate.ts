import { height, width } from "../cue-sheet.ts";
import type { Box } from "./box.ts";

export interface Plate {
  readonly count: number;
  /** Red, green, blue a pixel, of a frame of the plate; beyond its ends, of the first or last. Not to be changed. */
  whole(frame: number): Float32Array;
  /** A copy of a box of it. */
  cut(frame: number, box: Box): Float32Array;
}

/** Frames kept after they were asked for: those around one are asked for many times. */
const kept = 6;

/** Reads a YUV4MPEG2 file of this package: 4:2:0, limited range, BT.601. */
export function readPlate(file: Uint8Array): Plate {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const [header, lead, size] = [bytes.indexOf("\n") + 1, "FRAME\n".length, width * height];
  const each = lead + size * 1.5;
  const count = Math.floor((bytes.length - header) / each);
  const recent = new Map<number, Float32Array>();

  function whole(at: number): Float32Array {
    const frame = Math.min(count - 1, Math.max(0, at));
    const start = header + frame * each + lead;
    const picture = recent.get(frame) ?? toColours(bytes.subarray(start, start + each - lead));
    recent.delete(frame);
    recent.set(frame, picture);
    for (const oldest of [...recent.keys()].slice(0, -kept)) recent.delete(oldest);
    return picture;
  }

  return {
    count,
    whole,
    cut(frame, { left, top, right, bottom }) {
      const picture = whole(frame);
      const out = new Float32Array((right - left) * (bottom - top) * 3);
      for (let row = top; row < bottom; row++) {
        const line = picture.subarray((row * width + left) * 3, (row * width + right) * 3);
        out.set(line, (row - top) * (right - left) * 3);
      }
      return out;
    },
  };
}

function toColours(planes: Uint8Array): Float32Array {
  const out = new Float32Array(width * height * 3);
  const [blues, reds] = [width * height, width * height * 1.25];
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++, at += 3) {
      const chroma = (row >> 1) * (width >> 1) + (column >> 1);
      const light = ((planes[row * width + column] ?? 0) - 16) * (255 / 219);
      const blueness = (planes[blues + chroma] ?? 0) - 128;
      const redness = (planes[reds + chroma] ?? 0) - 128;
      out[at] = clamp(light + 1.596 * redness);
      out[at + 1] = clamp(light - 0.392 * blueness - 0.813 * redness);
      out[at + 2] = clamp(light + 2.017 * blueness);
    }
  }
  return out;
}

function clamp(value: number): number {
  return Math.min(255, Math.max(0, value));
}
