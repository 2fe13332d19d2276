import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "ale/contract/random";
import type { GenerateContext } from "ale/task";
import { anomalyTable, parcelTable } from "../expected-tables.ts";
import type { Grid } from "../geo/grid.ts";
import { utmZone } from "../geo/transverse-mercator.ts";
import type { Params } from "../params.ts";
import { rules } from "../rules.ts";
import { growCrops } from "./grow-crops.ts";
import { makeClassification } from "./make-clouds.ts";
import { makeParcels, pixelsOf } from "./make-parcels.ts";
import { makeScene } from "./make-scene.ts";
import { noiseField } from "./noise-field.ts";
import { describeParcel, maskScene, screenChanges } from "./truth-statistics.ts";
import { writeGeotiff } from "./write-geotiff.ts";
import { cropTable, parcelLayer, sceneMetadata } from "./write-tables.ts";

/** Robust scores between these would make the list of anomalies a matter of rounding. */
const undecided = [2.7, 5] as const;

/** Writes scenes, parcels and the crop table, and the hidden truth. */
export function generate(context: GenerateContext<Params>): void {
  for (let attempt = 0; attempt < 30; attempt++) {
    if (tryOnce(context, context.random.fork(`attempt/${attempt}`))) return;
  }
  throw new Error("no attempt gave anomalies that are clear");
}

function tryOnce({ input, reference, params }: GenerateContext<Params>, random: Random): boolean {
  const { width, height, epsg } = params;
  const grid: Grid = { easting: params.easting, northing: params.northing, pixel: 10, width, height };
  const parcels = makeParcels(random.fork("parcels"), grid, params.cell, utmZone(epsg));
  const members = parcels.map((parcel) => pixelsOf(parcel.pixels, grid));
  const stands = growCrops(random.fork("crops"), parcels);
  const dates = [params.date_from, params.date_middle, params.date_to];
  const scenes = dates.map((date, index) => {
    const drawn = random.fork(date);
    const shape = { width: width / 2, height: height / 2, clouds: params.clouds, cutCorner: index === 1 };
    const classification = makeClassification(drawn.fork("classes"), shape);
    const greenness = paint(
      random.fork("land"),
      grid,
      members,
      stands.map(({ course }) => course[index] as number),
    );
    const offset = date >= params.offset_since ? -1000 : 0;
    const scene = { width, height, greenness, classification, offset };
    return { date, ...scene, samples: makeScene(drawn.fork("scene"), scene) };
  });
  const masked = scenes.map((scene) => maskScene(scene, params.dilation));
  const rows = parcels.flatMap(({ id }, parcel) =>
    scenes.map(({ date }, index) =>
      describeParcel(id, date, members[parcel] as readonly number[], masked[index] as (typeof masked)[0]),
    ),
  );
  const crops = cropTable(random.fork("table"), parcels, stands, params.season);
  const screened = screenChanges(rows, crops.cropOf, params.date_from, params.date_to);
  const distances = screened.map(({ robustZ }) => Math.abs(robustZ));
  if (distances.some((distance) => distance > undecided[0] && distance < undecided[1])) return false;
  const anomalies = screened.filter(({ robustZ }) => Math.abs(robustZ) > rules.leastRobustZ);
  if (anomalies.length < 4) return false;

  for (const { date, samples, classification, offset } of scenes) {
    const dir = join(input, "scenes", date);
    mkdirSync(dir, { recursive: true });
    const bands = ["B02", "B03", "B04", "B08"].map((name) => ({
      name,
      scale: 0.0001,
      offset: offset / 10_000,
    }));
    writeFileSync(join(dir, "BOA_10m.tif"), writeGeotiff({ grid, epsg, bands, samples, nodata: 0 }));
    const coarse = { ...grid, pixel: 20, width: width / 2, height: height / 2 };
    const scl = { grid: coarse, epsg, bands: [{ name: "SCL" }], samples: classification, nodata: 0 };
    writeFileSync(join(dir, "SCL_20m.tif"), writeGeotiff(scl));
    writeFileSync(join(dir, "MTD.xml"), sceneMetadata(date, offset));
  }
  writeFileSync(join(input, "parcels.geojson"), parcelLayer(random.fork("layer"), parcels));
  writeFileSync(join(input, "crops.csv"), crops.text);
  writeFileSync(join(reference, "parcel_ndvi.csv"), parcelTable(rows));
  writeFileSync(join(reference, "anomalies.csv"), anomalyTable(anomalies));
  const expected = Float32Array.from(masked[1]?.ndvi ?? []);
  writeFileSync(join(reference, "ndvi.f32"), Buffer.from(expected.buffer));
  return true;
}

/** How green each pixel is: rough land, and the parcels' stands with a gentle slope inside each. */
function paint(
  random: Random,
  { width, height }: Grid,
  members: readonly (readonly number[])[],
  stands: readonly number[],
): Float64Array {
  const land = noiseField(random.fork("rough"), width, height, 23).map((value) => 0.15 + 0.7 * value);
  const slope = noiseField(random.fork("slope"), width, height, 31);
  for (const [parcel, pixels] of members.entries()) {
    for (const at of pixels) land[at] = (stands[parcel] as number) + 0.06 * ((slope[at] as number) - 0.5);
  }
  return land;
}
