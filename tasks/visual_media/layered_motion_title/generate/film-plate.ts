import type { Random } from "ale/contract/random";
import { frameRate, height, width } from "../cue-sheet.ts";

interface Light {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Pixels a frame. */
  readonly across: number;
  readonly down: number;
  readonly colour: readonly number[];
}

/**
 * Films lights that drift out of focus before an evening sky: a YUV4MPEG2 file, 4:2:0 and limited range by BT.601. All of it
 * moves all the time, so that each frame can be told from the next.
 */
export function filmPlate(random: Random, frames: number): Uint8Array {
  const sky = [random.integer(48, 70), random.integer(70, 92), random.integer(112, 140)];
  const ground = [random.integer(112, 140), random.integer(84, 100), random.integer(84, 104)];
  const lights = Array.from({ length: 9 }, (_, index): Light => {
    const turn = random.pick([-1, 1]);
    return {
      x: (index + random.next()) * (width / 9),
      y: random.integer(10, height - 10),
      radius: random.integer(18, 36),
      across: turn * (1.6 + 1.4 * random.next()),
      down: (random.next() - 0.5) * 0.6,
      colour: [random.integer(60, 100), random.integer(40, 80), random.integer(10, 60)],
    };
  });
  const parts: Uint8Array[] = [
    Buffer.from(`YUV4MPEG2 W${width} H${height} F${frameRate}:1 Ip A1:1 C420jpeg XCOLORRANGE=LIMITED\n`),
  ];
  for (let frame = 0; frame < frames; frame++) {
    parts.push(Buffer.from("FRAME\n"), planes(drawFrame(sky, ground, lights, frame)));
  }
  return Buffer.concat(parts);
}

function drawFrame(
  sky: readonly number[],
  ground: readonly number[],
  lights: readonly Light[],
  frame: number,
): Float32Array {
  const picture = new Float32Array(width * height * 3);
  for (let row = 0, at = 0; row < height; row++) {
    const low = row / height;
    for (let column = 0; column < width; column++) {
      for (let channel = 0; channel < 3; channel++, at++)
        picture[at] = (1 - low) * (sky[channel] ?? 0) + low * (ground[channel] ?? 0);
    }
  }
  for (const light of lights) addLight(picture, light, frame);
  return picture;
}

/** A light that leaves the picture comes in again at the other side. */
function addLight(picture: Float32Array, light: Light, frame: number): void {
  const { radius, colour } = light;
  const span = width + 2 * radius;
  const x = ((((light.x + light.across * frame + radius) % span) + span) % span) - radius;
  const y = light.y + light.down * frame;
  for (let row = Math.max(0, Math.floor(y - radius)); row < Math.min(height, y + radius); row++) {
    for (let column = Math.max(0, Math.floor(x - radius)); column < Math.min(width, x + radius); column++) {
      const inside = radius - Math.hypot(column + 0.5 - x, row + 0.5 - y);
      const share = Math.min(1, Math.max(0, inside / 6));
      const at = (row * width + column) * 3;
      for (let channel = 0; channel < 3; channel++)
        picture[at + channel] = (picture[at + channel] ?? 0) + share * (colour[channel] ?? 0);
    }
  }
}

function planes(picture: Float32Array): Uint8Array {
  const size = width * height;
  const out = new Uint8Array(size * 1.5);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const pixel = row * width + column;
      const [red, green, blue] = colourAt(picture, pixel);
      out[pixel] = Math.round(16 + (65.481 * red + 128.553 * green + 24.966 * blue) / 255);
    }
  }
  for (let row = 0; row < height; row += 2) {
    for (let column = 0; column < width; column += 2) {
      const four = [0, 1, width, width + 1].map((step) => colourAt(picture, row * width + column + step));
      const mean = (channel: number): number => four.reduce((sum, one) => sum + (one[channel] ?? 0), 0) / 4;
      const [red, green, blue] = [mean(0), mean(1), mean(2)];
      const at = size + (row / 2) * (width / 2) + column / 2;
      out[at] = Math.round(128 + (-37.797 * red - 74.203 * green + 112 * blue) / 255);
      out[at + size / 4] = Math.round(128 + (112 * red - 93.786 * green - 18.214 * blue) / 255);
    }
  }
  return out;
}

function colourAt(picture: Float32Array, pixel: number): readonly [number, number, number] {
  const at = pixel * 3;
  return [
    Math.min(255, picture[at] ?? 0),
    Math.min(255, picture[at + 1] ?? 0),
    Math.min(255, picture[at + 2] ?? 0),
  ];
}
