import { frameRate, height, width } from "../scene.ts";

/** RGB frames as an uncompressed YUV4MPEG2 video, 4:4:4, BT.601 in limited range. */
export function writeY4m(frames: readonly Uint8Array[]): Uint8Array {
  const parts: Uint8Array[] = [
    Buffer.from(`YUV4MPEG2 W${width} H${height} F${frameRate}:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n`),
  ];
  for (const frame of frames) parts.push(Buffer.from("FRAME\n"), planes(frame));
  return Buffer.concat(parts);
}

function planes(frame: Uint8Array): Uint8Array {
  const size = width * height;
  const out = new Uint8Array(size * 3);
  for (let pixel = 0; pixel < size; pixel++) {
    const [red = 0, green = 0, blue = 0] = [frame[pixel * 3], frame[pixel * 3 + 1], frame[pixel * 3 + 2]];
    out[pixel] = Math.round(16 + (65.481 * red + 128.553 * green + 24.966 * blue) / 255);
    out[size + pixel] = Math.round(128 + (-37.797 * red - 74.203 * green + 112 * blue) / 255);
    out[2 * size + pixel] = Math.round(128 + (112 * red - 93.786 * green - 18.214 * blue) / 255);
  }
  return out;
}
