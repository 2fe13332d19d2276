import type { Random } from "ale/contract/random";
import { noiseField } from "./noise-field.ts";

/** Digital numbers of a date: blue, green, red, near infrared interleaved by pixel; 0 where there is no data. */
export interface SceneInputs {
  readonly width: number;
  readonly height: number;
  /** NDVI that each pixel would show without atmosphere. */
  readonly greenness: Float64Array;
  /** 20 m classification. */
  readonly classification: Uint8Array;
  /** Added to a digital number before scaling: 0 or -1000. */
  readonly offset: number;
}

/** Renders reflectances with clouds, haze around them, shadows, water, a dropped line and the processing offset. */
export function makeScene(random: Random, inputs: SceneInputs): Uint16Array {
  const { width, height, greenness, classification, offset } = inputs;
  const brightness = noiseField(random.fork("brightness"), width, height, 17);
  const grain = random.fork("grain");
  const dropped = { row: random.integer(40, height - 40), from: random.integer(0, width >> 1) };
  const samples = new Uint16Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      const kind = classAt(classification, width, column, row);
      if (kind === 0) continue;
      const sum = 0.3 + 0.16 * (brightness[at] as number) + grain.normal(0, 0.006);
      const index = Math.min(0.98, Math.max(-0.2, (greenness[at] as number) + grain.normal(0, 0.025)));
      let red = (sum * (1 - index)) / 2;
      let infrared = (sum * (1 + index)) / 2;
      if (kind === 6) {
        red = 0.012 + grain.normal(0, 0.006);
        infrared = 0.006 + grain.normal(0, 0.006);
      }
      const veil = veilAt(classification, inputs, column, row, kind);
      const cloud = 0.45 + 0.2 * (brightness[at] as number);
      red += (cloud - red) * veil;
      infrared += (cloud * 1.03 - infrared) * veil;
      if (kind === 3) [red, infrared] = [red * 0.35 + 0.01, infrared * 0.3];
      const bands = [red * 0.6 + 0.01, red * 0.8 + 0.02, red, infrared];
      for (const [band, value] of bands.entries()) {
        samples[at * 4 + band] = Math.max(1, Math.round(value * 10_000 - offset));
      }
      const isDropped = row === dropped.row && column >= dropped.from && column < dropped.from + 90;
      if (isDropped) samples[at * 4 + 3] = 0;
    }
  }
  return samples;
}

function classAt(classification: Uint8Array, width: number, column: number, row: number): number {
  return classification[(row >> 1) * (width >> 1) + (column >> 1)] as number;
}

/** How much of a cloud is seen: all of it in its core, a haze just outside of what is classified. */
function veilAt(
  classification: Uint8Array,
  { width, height }: SceneInputs,
  column: number,
  row: number,
  kind: number,
): number {
  if (kind === 9) return 0.95;
  if (kind === 8) return 0.75;
  if (kind === 10) return 0.35;
  for (const [dx, dy] of [
    [2, 0],
    [-2, 0],
    [0, 2],
    [0, -2],
  ] as const) {
    const [x, y] = [column + dx, row + dy];
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    if ([8, 9].includes(classAt(classification, width, x, y))) return 0.25;
  }
  return 0;
}
