import type { Outcome } from "ale/grade/outcome";
import { check } from "ale/grade/rubric/check";
import { fromReference } from "ale/grade/rubric/from-reference";
import { ok, type Read } from "ale/grade/rubric/read";
import { locateArtifact, readJson } from "ale/grade/rubric/read-artifact";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import { isExpected } from "ale/grade/spreadsheet/compare-cells";
import { findSheet } from "ale/grade/spreadsheet/find-cells";
import { isComputed } from "ale/grade/spreadsheet/formula-use";
import { readWorkbook } from "ale/grade/spreadsheet/read-workbook";
import { recalculateVariants } from "ale/grade/spreadsheet/recalculate-spreadsheet";
import type { Workbook } from "ale/grade/spreadsheet/workbook";
import { workbookHealthOutcome } from "ale/grade/spreadsheet/workbook-health";
import type { GradeContext } from "ale/task";
import type { Params } from "../params.ts";
import type { ValuationInputs } from "../valuation/valuation-inputs.ts";
import { valueCompany } from "../valuation/value-company.ts";
import { changeCapital, changeOperations } from "./change-inputs.ts";
import { type Figure, type OpenValuation, openValuation } from "./open-valuation.ts";

/** A workbook computed with some inputs typed in, and what these should give. */
interface Computed {
  readonly workbook: Workbook;
  readonly inputs: ValuationInputs;
}

interface Opened {
  readonly open: OpenValuation;
  readonly before: Computed;
  /** The two other scenarios. */
  readonly switched: readonly Computed[];
  readonly capital: Computed;
  readonly operations: Computed;
}

/** Gates on a healthy workbook of the layout asked for whose model is mostly right; then figures, and formulas under edits. */
export async function grade(context: GradeContext<Params>): Promise<ReturnType<typeof weightedRubric>> {
  const { reference, params } = context;
  const truth = fromReference(await readJson(reference, "inputs.json")) as unknown as ValuationInputs;
  const opened = await open(context, truth);
  if (opened.kind === "bad") {
    return weightedRubric([
      check({ id: "workbook", stage: "structure", gate: true, outcome: opened.outcome }),
    ]);
  }
  const { open: layout, before, switched, capital, operations } = opened.value;
  const valued = ({ inputs }: Computed) => valueCompany(inputs, params.timing);
  const judge = (computed: Computed, parts: readonly ("model" | "summary" | "sensitivity")[]): Outcome =>
    judgeFigures(
      computed.workbook,
      parts.flatMap((part) => layout[part](valued(computed))),
      computed === before && parts.length === 1 && parts[0] !== "sensitivity" ? "shown" : "computed",
    );
  const model = judge(before, ["model"]);
  return weightedRubric([
    check({
      id: "workbook",
      stage: "structure",
      gate: true,
      outcome: { score: 1, message: "The workbook opens, calculates and has the layout asked for." },
    }),
    check({
      id: "usable",
      stage: "model",
      gate: true,
      outcome: {
        score: model.score >= 0.5 ? 1 : 0,
        message: model.score >= 0.5 ? "The model is mostly right." : `No usable model: ${model.message}`,
      },
    }),
    check({
      id: "inputs",
      stage: "inputs",
      weight: 10,
      outcome: judgeFigures(before.workbook, layout.typedIn(truth), "typed"),
    }),
    check({ id: "model", stage: "model", weight: 25, outcome: model }),
    check({ id: "summary", stage: "summary", weight: 15, outcome: judge(before, ["summary"]) }),
    ...switched.map((computed) =>
      check({
        id: `scenario-${computed.inputs.scenario}`,
        stage: "scenarios",
        weight: 10,
        outcome: judge(computed, ["model", "summary"]),
      }),
    ),
    check({ id: "capital", stage: "assumptions", weight: 10, outcome: judge(capital, ["model", "summary"]) }),
    check({
      id: "operations",
      stage: "assumptions",
      weight: 10,
      outcome: judge(operations, ["model", "summary"]),
    }),
    check({ id: "sensitivity", stage: "sensitivity", weight: 5, outcome: judge(before, ["sensitivity"]) }),
    check({
      id: "live-sensitivity",
      stage: "sensitivity",
      weight: 5,
      outcome: judge(capital, ["sensitivity"]),
    }),
  ]);
}

async function open(
  { artifacts, scratch }: GradeContext<Params>,
  truth: ValuationInputs,
): Promise<Read<Opened>> {
  const path = await locateArtifact(artifacts, "valuation.xlsx", { maxBytes: 10 * 1024 ** 2 });
  if (path.kind === "bad") return path;
  const limits = { maxCells: 100_000 };
  const workbook = await readWorkbook(path.value, limits);
  if (workbook.kind === "bad") return workbook;
  const layout = openValuation(workbook.value);
  if (layout.kind === "bad") return layout;
  const others = [1, 2, 3].filter((scenario) => scenario !== truth.scenario);
  const inputs = [
    ...others.map((scenario) => ({ ...truth, scenario })),
    changeCapital(truth),
    changeOperations(truth),
  ] as const;
  const recalculated = await recalculateVariants({
    path: path.value,
    scratch,
    limits,
    variants: inputs.map((set) => layout.value.typedIn(set)),
  });
  if (recalculated.kind === "bad") return recalculated;
  const { before, variants } = recalculated.value;
  const health = workbookHealthOutcome({ ...before, macros: workbook.value.macros });
  if (health.score < 1) return { kind: "bad", outcome: health };
  const computed = inputs.map((set, index) => ({ workbook: variants[index] as Workbook, inputs: set }));
  const [capital, operations] = computed.slice(-2) as [Computed, Computed];
  return ok({
    open: layout.value,
    before: { workbook: before, inputs: truth },
    switched: computed.slice(0, -2),
    capital,
    operations,
  });
}

/** Share of figures that are right; typed-in ones must be constants, computed ones formulas over other cells. */
function judgeFigures(
  workbook: Workbook,
  figures: readonly Figure[],
  how: "shown" | "typed" | "computed",
): Outcome {
  const names = workbook.definedNames.map(({ name }) => name);
  const wrong = figures.filter(({ sheet, cell, value }) => {
    const found = findSheet(workbook, sheet);
    const there = found.kind === "ok" ? found.value.cells.get(cell) : undefined;
    if (there === undefined || !isExpected(there.value, value, { relative: 1e-4, absolute: 1e-5 }))
      return true;
    if (how === "typed") return there.formula !== undefined;
    return how === "computed" && !isComputed(there, names);
  });
  return {
    score: (figures.length - wrong.length) / figures.length,
    message: `${figures.length - wrong.length} of ${figures.length} figures are right${how === "computed" ? " and formulas" : ""}.`,
    evidence: wrong.slice(0, 24).map(({ sheet, cell, name }) => `${sheet}!${cell} (${name})`),
  };
}
