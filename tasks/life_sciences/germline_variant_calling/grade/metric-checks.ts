import { closeTo } from "ale/grade/number/close-to";
import { check } from "ale/grade/rubric/check";
import type { readJson } from "ale/grade/rubric/read-artifact";
import { callSetFigures } from "../metrics.ts";
import type { Truth } from "../truth.ts";
import type { Call } from "./read-calls.ts";

type Check = ReturnType<typeof check>;
type ReadValue = Awaited<ReturnType<typeof readJson>>;
interface Figure {
  readonly name: string;
  readonly expected: number;
  readonly absolute?: number;
  readonly relative?: number;
}

/** The figures of the report: of the run against the truth, of the call set against the file handed in. */
export function metricChecks(
  read: ReadValue,
  truth: Truth,
  calls: readonly Call[],
  sample: string,
): readonly Check[] {
  const value = read.kind === "ok" ? read.value : null;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const given = (isObject ? value : {}) as { readonly [name: string]: unknown };
  const figures = callSetFigures(calls);
  const expected: readonly Figure[] = [
    { name: "read_pairs", expected: truth.readPairs },
    { name: "duplicate_fraction", expected: truth.duplicateFraction, absolute: 0.01 },
    { name: "mean_depth", expected: truth.meanDepth, relative: 0.04 },
    { name: "snvs", expected: figures.snvs },
    { name: "indels", expected: figures.indels },
    { name: "ts_tv", expected: figures.ts_tv, absolute: 0.006 },
    { name: "het_hom_ratio", expected: figures.het_hom_ratio, absolute: 0.006 },
  ];
  const named = given["sample"] === sample;
  return [
    check({
      id: "metrics-sample",
      stage: "metrics",
      weight: 2,
      outcome: { score: named ? 1 : 0, message: `The sample's name is ${named ? "right" : "not right"}.` },
    }),
    ...expected.map(({ name, expected: wanted, ...tolerance }) =>
      check({
        id: `metrics-${name.replaceAll("_", "-")}`,
        stage: "metrics",
        weight: 2,
        outcome: read.kind === "bad" ? read.outcome : closeTo(given[name], wanted, tolerance),
      }),
    ),
  ];
}
