import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun } from "../run-program.ts";

/** What the oracle reads of a scene. */
export interface Scene {
  readonly date: string;
  readonly width: number;
  readonly height: number;
  readonly origin: readonly [easting: number, northing: number];
  readonly epsg: number;
  readonly red: Uint16Array;
  readonly infrared: Uint16Array;
  /** Brought to the 10 m grid. */
  readonly classes: Uint8Array;
  /** From the scene's metadata; 0 for the older baseline, which has none. */
  readonly offset: number;
}

/** Reads a scene's folder through GDAL. */
export function readScene(input: string, date: string, scratch: string): Scene {
  const dir = join(input, "scenes", date);
  const file = join(dir, "BOA_10m.tif");
  const info = JSON.parse(mustRun(["gdalinfo", "-json", file])) as {
    size: [number, number];
    geoTransform: [number, number, number, number, number, number];
    coordinateSystem: { wkt: string };
  };
  const [width, height] = info.size;
  const raw = join(scratch, `${date}.raw`);
  const bands = ["-co", "INTERLEAVE=BSQ", "-b", "3", "-b", "4"];
  mustRun(["gdal_translate", "-q", "-of", "ENVI", ...bands, file, raw]);
  const bytes = readFileSync(raw);
  const pixels = new Uint16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const classes = join(scratch, `${date}-classes.raw`);
  const size = ["-outsize", String(width), String(height), "-r", "nearest"];
  mustRun(["gdal_translate", "-q", "-of", "ENVI", ...size, join(dir, "SCL_20m.tif"), classes]);
  const metadata = readFileSync(join(dir, "MTD.xml"), "utf8");
  return {
    date,
    width,
    height,
    origin: [info.geoTransform[0], info.geoTransform[3]],
    epsg: Number(/ID\["EPSG",(\d+)\]\]$/.exec(info.coordinateSystem.wkt)?.[1]),
    red: pixels.subarray(0, width * height),
    infrared: pixels.subarray(width * height),
    classes: new Uint8Array(readFileSync(classes)),
    offset: Number(/<BOA_ADD_OFFSET band_id="3">(-?\d+)</.exec(metadata)?.[1] ?? 0),
  };
}
