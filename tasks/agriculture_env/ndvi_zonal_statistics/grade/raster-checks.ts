import { linearScore } from "ale/grade/number/linear-score";
import { check } from "ale/grade/rubric/check";
import type { Read } from "ale/grade/rubric/read";
import type { ReadRaster } from "./read-raster.ts";

type Check = ReturnType<typeof check>;

/** The file's form, which pixels it masks, and the values of the others. */
export function rasterChecks(read: Read<ReadRaster>, expected: Float32Array): readonly Check[] {
  const stage = "raster";
  if (read.kind === "bad") {
    return ["grid", "mask", "values"].map((id) =>
      check({ id: `raster-${id}`, stage, weight: 6, outcome: read.outcome }),
    );
  }
  const { faults, values } = read.value;
  let [agreeing, valid, close] = [0, 0, 0];
  for (const [index, value] of expected.entries()) {
    const found = values[index] ?? Number.NaN;
    const readable = values.length === expected.length;
    if (readable && Number.isNaN(found) === Number.isNaN(value)) agreeing++;
    if (Number.isNaN(value)) continue;
    valid++;
    if (Math.abs(found - value) <= 0.001) close++;
  }
  return [
    check({
      id: "raster-grid",
      stage,
      weight: 6,
      outcome: {
        score: faults.length === 0 ? 1 : 0,
        message:
          faults.length === 0 ? "The grid is that of the scenes." : `ndvi.tif has ${faults.join(", ")}.`,
      },
    }),
    check({
      id: "raster-mask",
      stage,
      weight: 6,
      outcome: {
        score: linearScore(agreeing / expected.length, 0.9, 1),
        message: `${expected.length - agreeing} of ${expected.length} pixels are masked wrongly, or not.`,
      },
    }),
    check({
      id: "raster-values",
      stage,
      weight: 6,
      outcome: {
        score: linearScore(close / valid, 0.8, 1),
        message: `${close} of ${valid} valid pixels are within 0.001.`,
      },
    }),
  ];
}
