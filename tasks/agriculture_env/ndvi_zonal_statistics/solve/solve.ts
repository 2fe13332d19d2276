import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SolveContext } from "ale/task";
import type { Params } from "../params.ts";
import { rules } from "../rules.ts";
import { mustRun } from "../run-program.ts";
import { type IndexedScene, indexScene } from "./index-scene.ts";
import { type ParcelPixels, readParcels } from "./read-parcels.ts";
import { readScene, type Scene } from "./read-scene.ts";

/** The three outputs from the scenes, the parcels and the crop table. */
export function solve({ input, output, scratch, params }: SolveContext<Params>): void {
  const dates = readdirSync(join(input, "scenes")).toSorted();
  const scenes = dates.map((date) => {
    const scene = readScene(input, date, scratch);
    return { scene, index: indexScene(scene, params.dilation) };
  });
  const parcels = readParcels(input, (scenes[0] as (typeof scenes)[0]).scene);
  const means = new Map<string, number>();
  const lines = parcels.flatMap((parcel) =>
    scenes.map(({ scene, index }) => {
      const { text, mean } = describe(parcel, scene.date, index);
      if (mean !== undefined) means.set(`${parcel.id} ${scene.date}`, mean);
      return text;
    }),
  );
  const header = "parcel_id,date,pixels,valid_pixels,cloud_share,status,ndvi_mean,ndvi_median,ndvi_p10";
  writeFileSync(join(output, "parcel_ndvi.csv"), `${[header, ...lines].join("\n")}\n`);
  writeFileSync(join(output, "anomalies.csv"), screen(input, params, means));
  const chosen = scenes.find(({ scene }) => scene.date === params.date_middle) as (typeof scenes)[0];
  writeRaster(chosen.scene, chosen.index, scratch, join(output, "ndvi.tif"));
}

function describe(
  { id, pixels }: ParcelPixels,
  date: string,
  index: IndexedScene,
): { readonly text: string; readonly mean?: number } {
  if (pixels.length === 0) return { text: `${id},${date},0,0,,outside,,,` };
  const values = pixels
    .flatMap(([column, row]) => index.ndviAt(column, row) ?? [])
    .toSorted((one, other) => one - other);
  const share = pixels.filter(([column, row]) => index.isCloud(column, row)).length / pixels.length;
  const start = `${id},${date},${pixels.length},${values.length},${share.toFixed(4)}`;
  if (share > rules.maxCloudShare) return { text: `${start},cloudy,,,` };
  if (values.length < rules.leastValidPixels) return { text: `${start},sparse,,,` };
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const figures = [mean, percentile(values, 50), percentile(values, 10)].map((value) => value.toFixed(4));
  return { text: `${start},ok,${figures.join(",")}`, mean };
}

/** Of ascending values, with linear interpolation between the two nearest ranks. */
function percentile(values: readonly number[], percent: number): number {
  const position = ((values.length - 1) * percent) / 100;
  const lower = values[Math.floor(position)] as number;
  const upper = values[Math.ceil(position)] as number;
  return lower + (upper - lower) * (position % 1);
}

/** `anomalies.csv`: changes by crop, against the crop's median. */
function screen(input: string, params: Params, means: ReadonlyMap<string, number>): string {
  const byCrop = new Map<string, { readonly id: string; readonly change: number }[]>();
  const [, ...rows] = readFileSync(join(input, "crops.csv"), "utf8").trim().split("\r\n");
  for (const row of rows) {
    const [id = "", season, crop = ""] = row.split(";");
    const before = means.get(`${id} ${params.date_from}`);
    const after = means.get(`${id} ${params.date_to}`);
    if (Number(season) !== params.season || before === undefined || after === undefined) continue;
    byCrop.set(crop, [...(byCrop.get(crop) ?? []), { id, change: after - before }]);
  }
  const lines: string[] = [];
  for (const [crop, members] of byCrop) {
    if (members.length < rules.leastGroup) continue;
    const center = median(members.map(({ change }) => change));
    const spread = rules.madFactor * median(members.map(({ change }) => Math.abs(change - center)));
    for (const { id, change } of members) {
      const z = (change - center) / spread;
      if (Math.abs(z) <= rules.leastRobustZ) continue;
      const figures = [change.toFixed(4), center.toFixed(4), z.toFixed(2)];
      lines.push([id, crop, ...figures, z < 0 ? "decline" : "growth"].join(","));
    }
  }
  return `${["parcel_id,crop,change,crop_median,robust_z,direction", ...lines.toSorted()].join("\n")}\n`;
}

function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((one, other) => one - other),
    50,
  );
}

function writeRaster(scene: Scene, index: IndexedScene, scratch: string, path: string): void {
  const { width, height, origin, epsg } = scene;
  const values = new Float32Array(width * height);
  for (let at = 0; at < values.length; at++) {
    values[at] = index.ndviAt(at % width, Math.floor(at / width)) ?? -9999;
  }
  const raw = join(scratch, "ndvi.raw");
  writeFileSync(raw, Buffer.from(values.buffer));
  const header = [`samples = ${width}`, `lines = ${height}`, "bands = 1", "data type = 4", "byte order = 0"];
  writeFileSync(join(scratch, "ndvi.hdr"), `ENVI\n${header.join("\n")}\ninterleave = bsq\n`);
  const corners = [origin[0], origin[1], origin[0] + width * 10, origin[1] - height * 10].map(String);
  const place = ["-a_srs", `EPSG:${epsg}`, "-a_ullr", ...corners, "-a_nodata", "-9999"];
  mustRun(["gdal_translate", "-q", "-of", "GTiff", "-co", "COMPRESS=DEFLATE", ...place, raw, path]);
}
