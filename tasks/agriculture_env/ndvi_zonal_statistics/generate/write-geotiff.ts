import { deflateSync } from "node:zlib";
import type { Grid } from "../geo/grid.ts";

/** A raster to be written: samples interleaved by pixel. */
export interface Raster {
  readonly grid: Grid;
  readonly epsg: number;
  readonly bands: readonly { readonly name: string; readonly scale?: number; readonly offset?: number }[];
  readonly samples: Uint8Array | Uint16Array;
  readonly nodata: number;
}

type Field = readonly [tag: number, type: 2 | 3 | 4 | 12, values: readonly number[] | string];
const typeSizes = { 2: 1, 3: 2, 4: 4, 12: 8 } as const;
const rowsPerStrip = 32;

/**
 * A GeoTIFF (TIFF 6.0, OGC GeoTIFF 1.1, GDAL's metadata and nodata tags): little-endian, deflated strips, one image.
 * The same raster gives the same bytes.
 */
export function writeGeotiff({ grid, epsg, bands, samples, nodata }: Raster): Buffer {
  const { width, height, pixel } = grid;
  const rowBytes = width * bands.length * samples.BYTES_PER_ELEMENT;
  const raw = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const strips: Buffer[] = [];
  for (let row = 0; row < height; row += rowsPerStrip) {
    const end = Math.min(height, row + rowsPerStrip);
    strips.push(deflateSync(raw.subarray(row * rowBytes, end * rowBytes), { level: 6 }));
  }
  let at = 8;
  const offsets = strips.map((strip) => {
    const offset = at;
    at += strip.length + (strip.length % 2);
    return offset;
  });
  const each = (value: number): number[] => bands.map(() => value);
  const extra = bands.slice(1).map(() => 0);
  const fields: readonly Field[] = [
    [256, 4, [width]],
    [257, 4, [height]],
    [258, 3, each(samples.BYTES_PER_ELEMENT * 8)],
    [259, 3, [8]],
    [262, 3, [1]],
    [273, 4, offsets],
    [277, 3, [bands.length]],
    [278, 4, [rowsPerStrip]],
    [279, 4, strips.map((strip) => strip.length)],
    [284, 3, [1]],
    ...(extra.length > 0 ? [[338, 3, extra] as const] : []),
    [339, 3, each(1)],
    [33550, 12, [pixel, pixel, 0]],
    [33922, 12, [0, 0, 0, grid.easting, grid.northing, 0]],
    // Version 1.1.0; projected, pixel is area, the projected system's code.
    [34735, 3, [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, epsg]],
    [42112, 2, gdalMetadata(bands)],
    [42113, 2, String(nodata)],
  ];
  return Buffer.concat([header(at), ...strips.flatMap(padded), directory(fields, at)]);
}

function padded(strip: Buffer): readonly Buffer[] {
  return strip.length % 2 === 0 ? [strip] : [strip, Buffer.alloc(1)];
}

function header(directoryAt: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.write("II", 0, "latin1");
  bytes.writeUInt16LE(42, 2);
  bytes.writeUInt32LE(directoryAt, 4);
  return bytes;
}

function directory(fields: readonly Field[], at: number): Buffer {
  const entries = Buffer.alloc(2 + 12 * fields.length + 4);
  entries.writeUInt16LE(fields.length, 0);
  const beyond: Buffer[] = [];
  let free = at + entries.length;
  for (const [index, [tag, type, values]] of fields.entries()) {
    const data = encode(type, values);
    const entry = 2 + 12 * index;
    entries.writeUInt16LE(tag, entry);
    entries.writeUInt16LE(type, entry + 2);
    entries.writeUInt32LE(data.length / typeSizes[type], entry + 4);
    if (data.length <= 4) data.copy(entries, entry + 8);
    else {
      entries.writeUInt32LE(free, entry + 8);
      const even = Buffer.concat(padded(data) as Buffer[]);
      beyond.push(even);
      free += even.length;
    }
  }
  return Buffer.concat([entries, ...beyond]);
}

function encode(type: 2 | 3 | 4 | 12, values: readonly number[] | string): Buffer {
  if (typeof values === "string") return Buffer.from(`${values}\0`, "latin1");
  const bytes = Buffer.alloc(values.length * typeSizes[type]);
  for (const [index, value] of values.entries()) {
    if (type === 3) bytes.writeUInt16LE(value, index * 2);
    else if (type === 4) bytes.writeUInt32LE(value, index * 4);
    else bytes.writeDoubleLE(value, index * 8);
  }
  return bytes;
}

function gdalMetadata(bands: Raster["bands"]): string {
  const items = bands.flatMap(({ name, scale, offset }, sample) => [
    `<Item name="DESCRIPTION" sample="${sample}" role="description">${name}</Item>`,
    ...(scale === undefined ? [] : [`<Item name="SCALE" sample="${sample}" role="scale">${scale}</Item>`]),
    ...(offset === undefined
      ? []
      : [`<Item name="OFFSET" sample="${sample}" role="offset">${offset}</Item>`]),
  ]);
  return `<GDALMetadata>\n  ${items.join("\n  ")}\n</GDALMetadata>`;
}
