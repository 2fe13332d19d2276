import { readFileSync } from "node:fs";
import { join } from "node:path";
import { linearScore } from "ale/grade/number/linear-score";
import { check } from "ale/grade/rubric/check";
import { locateArtifact } from "ale/grade/rubric/read-artifact";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import { compareTables } from "ale/grade/table/compare-tables";
import type { GradeContext } from "ale/task";
import type { Params } from "../params.ts";
import { rasterChecks } from "./raster-checks.ts";
import { readRaster } from "./read-raster.ts";

type Verdict = ReturnType<typeof weightedRubric>;
type Check = ReturnType<typeof check>;
type Comparison = Awaited<ReturnType<typeof compareTables>>;

const mostBytes = 5 * 1024 * 1024;

/** A gate on parcel statistics that are mostly right; then each column, the anomalies and the raster. */
export async function grade(context: GradeContext<Params>): Promise<Verdict> {
  const { artifacts, reference, scratch, params } = context;
  const statistics = await compare(context, "parcel_ndvi.csv", {
    key: ["parcel_id", "date"],
    columns: {
      pixels: "number",
      valid_pixels: "number",
      cloud_share: { kind: "number", absolute: 0.001 },
      status: { kind: "text", letterCase: "fold" },
      ndvi_mean: { kind: "number", absolute: 0.001 },
      ndvi_median: { kind: "number", absolute: 0.001 },
      ndvi_p10: { kind: "number", absolute: 0.001 },
    },
  });
  const meanShare = columnShare(statistics, "ndvi_mean");
  const gate = check({
    id: "usable",
    stage: "statistics",
    gate: true,
    outcome:
      statistics.kind === "bad"
        ? statistics.outcome
        : {
            score: meanShare >= 0.5 ? 1 : 0,
            message: `${(meanShare * 100).toFixed(1)} % of the rows have the right ndvi_mean; half of them must.`,
          },
  });
  if (gate.score < 1) return weightedRubric([gate]);
  const grid = {
    easting: params.easting,
    northing: params.northing,
    pixel: 10,
    width: params.width,
    height: params.height,
  };
  const raster = await readRaster(artifacts, scratch, grid, params.epsg);
  const bytes = readFileSync(join(reference, "ndvi.f32"));
  const expected = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return weightedRubric([
    gate,
    ...columnChecks(statistics),
    ...(await anomalyChecks(context)),
    ...rasterChecks(raster, expected),
  ]);
}

async function compare(
  { artifacts, reference, scratch }: GradeContext<Params>,
  name: string,
  rules: Pick<Parameters<typeof compareTables>[0], "key" | "columns">,
): Promise<Comparison> {
  const path = await locateArtifact(artifacts, name, { maxBytes: mostBytes });
  if (path.kind === "bad") return path;
  const actual = { path: path.value, format: "csv" as const, limits: { maxRows: 20_000, maxColumns: 100 } };
  return compareTables({ ...rules, actual, expected: join(reference, name), scratch });
}

/** Share of rows, missing and surplus ones counted, that are right in a column. */
function columnShare(comparison: Comparison, name: string): number {
  if (comparison.kind === "bad") return 0;
  const { columns, expectedRows, extraRows } = comparison;
  return (columns.find((column) => column.name === name)?.right ?? 0) / (expectedRows + extraRows);
}

function columnChecks(comparison: Comparison): readonly Check[] {
  const columns = [
    ["pixels", "zones", 9],
    ["valid_pixels", "masking", 9],
    ["cloud_share", "masking", 9],
    ["status", "masking", 6],
    ["ndvi_mean", "statistics", 11],
    ["ndvi_median", "statistics", 8],
    ["ndvi_p10", "statistics", 8],
  ] as const;
  return columns.map(([name, stage, weight]) => {
    const share = columnShare(comparison, name);
    const message = `${(share * 100).toFixed(2)} % of the rows have the right ${name}.`;
    return check({
      id: name.replaceAll("_", "-"),
      stage,
      weight,
      outcome: { score: linearScore(share, 0.5, 1), message },
    });
  });
}

async function anomalyChecks(context: GradeContext<Params>): Promise<readonly Check[]> {
  const found = await compare(context, "anomalies.csv", {
    key: ["parcel_id"],
    columns: {
      crop: { kind: "text", letterCase: "fold" },
      change: { kind: "number", absolute: 0.001 },
      crop_median: { kind: "number", absolute: 0.001 },
      robust_z: { kind: "number", absolute: 0.1, relative: 0.02 },
      direction: { kind: "text", letterCase: "fold" },
    },
  });
  const about = { stage: "anomalies", weight: 11 } as const;
  if (found.kind === "bad") {
    return ["anomalies", "anomaly-values"].map((id) => check({ ...about, id, outcome: found.outcome }));
  }
  const { matchedRows, expectedRows, actualRows, rightRows, missingColumns } = found;
  const right = missingColumns.length === 0 ? rightRows : 0;
  return [
    check({
      ...about,
      id: "anomalies",
      outcome: {
        score: (2 * matchedRows) / (expectedRows + actualRows),
        message: `${matchedRows} of ${expectedRows} anomalies found, ${actualRows - matchedRows} others listed.`,
      },
    }),
    check({
      ...about,
      id: "anomaly-values",
      outcome: {
        score: right / expectedRows,
        message: `${right} of ${expectedRows} anomalies are described rightly.`,
      },
    }),
  ];
}
