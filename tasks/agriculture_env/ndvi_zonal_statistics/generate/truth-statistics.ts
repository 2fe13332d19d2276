import { rules } from "../rules.ts";
import type { Anomaly, ParcelDate, Status } from "../truth.ts";

export interface MaskedScene {
  /** NDVI of valid pixels, `NaN` elsewhere. */
  readonly ndvi: Float64Array;
  /** 1 where the grown cloud mask lies. */
  readonly cloud: Uint8Array;
}

/** NDVI and masks of a scene, by the rules of the instruction. */
export function maskScene(
  scene: {
    readonly width: number;
    readonly height: number;
    readonly samples: Uint16Array;
    readonly classification: Uint8Array;
    readonly offset: number;
  },
  dilation: number,
): MaskedScene {
  const { width, height, samples, classification, offset } = scene;
  const kinds = Uint8Array.from({ length: width * height }, (_unused, at) => {
    const [column, row] = [at % width, Math.floor(at / width)];
    return classification[(row >> 1) * (width >> 1) + (column >> 1)] as number;
  });
  const isCloud = (kind: number): boolean => (rules.cloudClasses as readonly number[]).includes(kind);
  const isInvalid = (kind: number): boolean => (rules.invalidClasses as readonly number[]).includes(kind);
  const cloud = growSquare(
    kinds.map((kind) => (isCloud(kind) ? 1 : 0)),
    width,
    height,
    dilation,
  );
  const ndvi = new Float64Array(width * height).fill(Number.NaN);
  for (let at = 0; at < ndvi.length; at++) {
    const [red, infrared] = [samples[at * 4 + 2] as number, samples[at * 4 + 3] as number];
    if (red === 0 || infrared === 0 || cloud[at] === 1 || isInvalid(kinds[at] as number)) continue;
    if (red + offset <= 0 || infrared + offset <= 0) continue;
    ndvi[at] = (infrared - red) / (infrared + red + 2 * offset);
  }
  return { ndvi, cloud };
}

/** Grows a mask by so many pixels in all eight directions: first along rows, then along columns. */
function growSquare(mask: Uint8Array, width: number, height: number, reach: number): Uint8Array {
  const wide = new Uint8Array(mask.length);
  const grown = new Uint8Array(mask.length);
  for (let at = 0; at < mask.length; at++) {
    if (mask[at] === 0) continue;
    const column = at % width;
    wide.fill(1, at - Math.min(reach, column), at + Math.min(reach, width - 1 - column) + 1);
  }
  for (let at = 0; at < mask.length; at++) {
    if (wide[at] === 0) continue;
    for (let step = -reach; step <= reach; step++) {
      const row = Math.floor(at / width) + step;
      if (row >= 0 && row < height) grown[at + step * width] = 1;
    }
  }
  return grown;
}

/** Statistics of one parcel at one date. */
export function describeParcel(
  parcel: string,
  date: string,
  pixels: readonly number[],
  scene: MaskedScene,
): ParcelDate {
  const values = pixels.map((at) => scene.ndvi[at] as number).filter((value) => !Number.isNaN(value));
  const cloudy = pixels.filter((at) => scene.cloud[at] === 1).length;
  const cloudShare = pixels.length === 0 ? null : cloudy / pixels.length;
  const status: Status =
    cloudShare === null
      ? "outside"
      : cloudShare > rules.maxCloudShare
        ? "cloudy"
        : values.length < rules.leastValidPixels
          ? "sparse"
          : "ok";
  const sorted = values.toSorted((one, other) => one - other);
  const statistics =
    status === "ok"
      ? {
          mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
          median: quantile(sorted, 0.5),
          p10: quantile(sorted, 0.1),
        }
      : null;
  return { parcel, date, pixels: pixels.length, valid: values.length, cloudShare, status, statistics };
}

/** Linear interpolation between order statistics at rank (n − 1)·p. */
export function quantile(sorted: readonly number[], share: number): number {
  const rank = (sorted.length - 1) * share;
  const below = Math.floor(rank);
  const low = sorted[below] as number;
  return low + ((sorted[Math.ceil(rank)] as number) - low) * (rank - below);
}

/** Every screened parcel with its robust score, in order of parcel. */
export function screenChanges(
  rows: readonly ParcelDate[],
  cropOf: ReadonlyMap<string, string>,
  from: string,
  to: string,
): readonly Anomaly[] {
  const meanOf = (parcel: string, date: string): number | undefined =>
    rows.find((row) => row.parcel === parcel && row.date === date)?.statistics?.mean;
  const groups = new Map<string, { parcel: string; change: number }[]>();
  for (const parcel of new Set(rows.map((row) => row.parcel))) {
    const crop = cropOf.get(parcel);
    const [before, after] = [meanOf(parcel, from), meanOf(parcel, to)];
    if (crop === undefined || before === undefined || after === undefined) continue;
    groups.set(crop, [...(groups.get(crop) ?? []), { parcel, change: after - before }]);
  }
  return [...groups].flatMap(([crop, members]) => {
    if (members.length < rules.leastGroup) return [];
    const median = medianOf(members.map(({ change }) => change));
    const deviation = medianOf(members.map(({ change }) => Math.abs(change - median)));
    return members.map(({ parcel, change }): Anomaly => {
      const robustZ = (change - median) / (rules.madFactor * deviation);
      return { parcel, crop, change, cropMedian: median, robustZ };
    });
  });
}

function medianOf(values: readonly number[]): number {
  return quantile(
    values.toSorted((one, other) => one - other),
    0.5,
  );
}
