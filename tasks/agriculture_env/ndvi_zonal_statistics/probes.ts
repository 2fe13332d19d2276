import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Probe, ProbeContext } from "ale/task";
import type { Params } from "./params.ts";
import { mustRun } from "./run-program.ts";

type Context = ProbeContext<Params>;

/** Changes every row below the header of a CSV without quotes. */
function editRows(
  { output }: Context,
  name: string,
  edit: (rows: readonly (readonly string[])[], header: readonly string[]) => readonly (readonly string[])[],
): void {
  const path = join(output, name);
  const [header = [], ...rows] = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  writeFileSync(path, `${[header, ...edit(rows, header)].map((row) => row.join(",")).join("\n")}\n`);
}

/** Applies a change to the cells of some columns that are not empty. */
function editColumns(context: Context, columns: readonly string[], change: (value: number) => string): void {
  editRows(context, "parcel_ndvi.csv", (rows, header) =>
    rows.map((row) =>
      row.map((cell, at) =>
        cell !== "" && columns.includes(header[at] ?? "") ? change(Number(cell)) : cell,
      ),
    ),
  );
}

/** Writes the raster anew with GDAL's options. */
function rewriteRaster({ output }: Context, options: readonly string[]): void {
  const [path, old] = [join(output, "ndvi.tif"), join(output, "old.tif")];
  renameSync(path, old);
  mustRun(["gdal_translate", "-q", ...options, old, path]);
  rmSync(old);
}

export const probes: readonly Probe<Params>[] = [
  {
    name: "empty-files",
    kind: "empty",
    expected: 0,
    because: "Three files without content hold no result.",
    make({ output }) {
      for (const name of ["parcel_ndvi.csv", "anomalies.csv", "ndvi.tif"])
        writeFileSync(join(output, name), "");
    },
  },
  {
    name: "blank-cells",
    kind: "format-only",
    expected: 0,
    because: "The right rows without a figure in them say nothing of any parcel.",
    make(context) {
      editRows(context, "parcel_ndvi.csv", (rows) =>
        rows.map(([id = "", date = ""]) => [id, date, "", "", "", "", "", "", ""]),
      );
      editRows(context, "anomalies.csv", () => []);
    },
  },
  {
    name: "percent",
    kind: "unit-error",
    expected: 0,
    because: "NDVI in per cent is not NDVI.",
    make: (context) =>
      editColumns(context, ["ndvi_mean", "ndvi_median", "ndvi_p10"], (value) => (value * 100).toFixed(2)),
  },
  {
    name: "cloud-share-in-percent",
    kind: "unit-error",
    expected: [0.93, 0.98],
    because: "One column is in the wrong unit.",
    make: (context) => editColumns(context, ["cloud_share"], (value) => (value * 100).toFixed(2)),
  },
  {
    name: "a-percentile-of-another-kind",
    kind: "near-miss",
    expected: [0.9, 0.97],
    because: "Only the tenth percentile is off, by the size of a step between pixels.",
    make: (context) => editColumns(context, ["ndvi_p10"], (value) => (value + 0.004).toFixed(4)),
  },
  {
    name: "two-thousandths-off",
    kind: "off-tolerance",
    expected: 0,
    because: "Every mean lies outside the stated tolerance.",
    make: (context) => editColumns(context, ["ndvi_mean"], (value) => (value + 0.0025).toFixed(4)),
  },
  {
    name: "anomalies-missed",
    kind: "near-miss",
    expected: [0.8, 0.95],
    because: "Half of the anomalies are not listed.",
    make: (context) =>
      editRows(context, "anomalies.csv", (rows) => rows.slice(0, Math.floor(rows.length / 2))),
  },
  {
    name: "unmasked-raster",
    kind: "near-miss",
    expected: [0.85, 0.95],
    because: "The raster has no nodata value, so that clouds count as fields.",
    make: (context) => rewriteRaster(context, ["-a_nodata", "none"]),
  },
  {
    name: "a-quarter-of-the-rows",
    kind: "truncated",
    expected: 0,
    because: "Most parcels are missing.",
    make: (context) =>
      editRows(context, "parcel_ndvi.csv", (rows) => rows.slice(0, Math.floor(rows.length / 4))),
  },
  {
    name: "copied-input",
    kind: "copied-input",
    expected: 0,
    because: "The inputs are not the results.",
    make({ input, output, params }) {
      copyFileSync(join(input, "crops.csv"), join(output, "parcel_ndvi.csv"));
      copyFileSync(join(input, "crops.csv"), join(output, "anomalies.csv"));
      copyFileSync(join(input, "scenes", params.date_middle, "BOA_10m.tif"), join(output, "ndvi.tif"));
    },
  },
  {
    name: "other-layout",
    kind: "valid-alternative",
    expected: 1,
    because: "Order of rows and columns, digits, tiling, compression and the nodata value are free.",
    make(context) {
      for (const name of ["parcel_ndvi.csv", "anomalies.csv"]) {
        const path = join(context.output, name);
        const [header = "", ...rows] = readFileSync(path, "utf8").trimEnd().split("\n");
        const turned = [header, ...context.random.shuffle(rows)].map((line) =>
          line.split(",").toReversed().join(","),
        );
        writeFileSync(path, `\uFEFF${turned.join("\r\n")}\r\n`);
      }
      roundToThousandths(context);
      const layout = ["-co", "TILED=YES", "-co", "COMPRESS=LZW", "-co", "PREDICTOR=3"];
      rewriteRaster(context, ["-ot", "Float64", ...layout]);
    },
  },
];

/** Rounds the statistics to three decimals: still within the tolerance. */
function roundToThousandths({ output }: Context): void {
  const path = join(output, "parcel_ndvi.csv");
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text.replaceAll(/0\.\d{4}/g, (number) => Number(number).toFixed(3)),
  );
}
