import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bad, ok, type Read } from "ale/grade/rubric/read";
import { locateArtifact } from "ale/grade/rubric/read-artifact";
import type { Grid } from "../geo/grid.ts";
import { runProgram } from "../run-program.ts";

/** A single-band raster that an agent wrote. */
export interface ReadRaster {
  /** What is wrong with its size, place, projection, type or number of bands. */
  readonly faults: readonly string[];
  /** Row by row; `NaN` where the file has nodata. Empty when the size is another one. */
  readonly values: Float64Array;
}

interface Described {
  readonly size?: readonly number[];
  readonly geoTransform?: readonly number[];
  readonly coordinateSystem?: { readonly wkt?: string };
  readonly bands?: readonly { readonly type?: string; readonly noDataValue?: number | string }[];
}

/** Reads a GeoTIFF of any layout and compression with GDAL, held to that one format. */
export async function readRaster(
  artifacts: string,
  scratch: string,
  grid: Grid,
  epsg: number,
): Promise<Read<ReadRaster>> {
  const path = await locateArtifact(artifacts, "ndvi.tif");
  if (path.kind === "bad") return path;
  const info = runProgram(["gdalinfo", "-json", "-nomd", "-if", "GTiff", path.value]);
  if (info.kind === "failed") return bad("ndvi.tif is not a GeoTIFF that GDAL can read.");
  const described = JSON.parse(info.output) as Described;
  const faults = faultsOf(described, grid, epsg);
  const sameSize = described.size?.[0] === grid.width && described.size[1] === grid.height;
  if (!sameSize || described.bands?.length !== 1) return ok({ faults, values: new Float64Array() });

  const raw = join(scratch, "ndvi.raw");
  const argv = ["gdal_translate", "-q", "-if", "GTiff", "-of", "ENVI", "-ot", "Float64", path.value, raw];
  if (runProgram(argv).kind === "failed") return bad("The pixels of ndvi.tif cannot be read.");
  const bytes = readFileSync(raw);
  const values = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const nodata = Number(described.bands[0]?.noDataValue ?? Number.NaN);
  return ok({ faults, values: values.map((value) => (value === nodata ? Number.NaN : value)) });
}

function faultsOf(
  { size, geoTransform = [], coordinateSystem, bands }: Described,
  grid: Grid,
  epsg: number,
): string[] {
  const faults: string[] = [];
  if (size?.[0] !== grid.width || size[1] !== grid.height) faults.push("another size than the scenes");
  const wanted = [grid.easting, grid.pixel, 0, grid.northing, 0, -grid.pixel];
  const isThere = wanted.every(
    (value, index) => Math.abs(value - (geoTransform[index] ?? Number.NaN)) < 0.001,
  );
  if (!isThere) faults.push("another origin or pixel size than the scenes");
  const zone = `WGS 84 / UTM zone ${epsg % 100}${epsg >= 32700 ? "S" : "N"}`;
  const wkt = coordinateSystem?.wkt ?? "";
  if (!wkt.endsWith(`ID["EPSG",${epsg}]]`) && !wkt.startsWith(`PROJCRS["${zone}"`)) {
    faults.push(`another coordinate system than EPSG:${epsg}`);
  }
  if (bands?.length !== 1) faults.push("not exactly one band");
  if (!["Float32", "Float64"].includes(bands?.[0]?.type ?? "")) faults.push("no floating-point samples");
  if (bands?.[0]?.noDataValue === undefined) faults.push("no declared nodata value");
  return faults;
}
