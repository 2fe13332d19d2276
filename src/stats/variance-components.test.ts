import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRandom } from "../contract/random.ts";
import type { CrossedDesign } from "./crossed-design.ts";
import { varianceComponents } from "./variance-components.ts";

interface MixedModel {
  readonly factors: readonly string[];
  readonly values: readonly number[];
  readonly levels: Readonly<Record<string, readonly string[]>>;
  readonly variances: readonly number[];
  readonly errors: readonly (number | null)[];
  readonly logLikelihood: number;
  readonly intercept: number;
  readonly interceptError: number;
}

/** What lme4 gives; made by `fixtures/mixed-models.R`. */
const models = JSON.parse(
  readFileSync(join(import.meta.dirname, "fixtures", "mixed-models.json"), "utf8"),
) as readonly MixedModel[];

function designOf(model: MixedModel): CrossedDesign {
  const factors = model.factors.map((name) => ({ name, levels: model.levels[name] ?? [] }));
  return { values: model.values, factors, tasks: "workflow" };
}

test.each(models.map((model, index) => [index + 1, model] as const))(
  "fixture %i agrees with lme4",
  (_, model) => {
    const fit = varianceComponents(designOf(model));
    if (fit.kind !== "fit") throw new Error(fit.reason);
    expect(Math.abs(fit.logLikelihood - model.logLikelihood)).toBeLessThan(1e-3);
    expect(fit.intercept.value).toBeCloseTo(model.intercept, 5);
    expect(fit.intercept.standardError / model.interceptError).toBeCloseTo(1, 2);
    fit.components.forEach((component, index) => {
      const variance = model.variances[index] as number;
      if (variance < 1e-9) {
        expect(component).toMatchObject({ variance: 0, standardError: { known: false } });
        return;
      }
      expect(Math.abs(component.variance / variance - 1)).toBeLessThan(0.01);
      if (!component.standardError.known) throw new Error(component.standardError.reason);
      expect(Math.abs(component.standardError.value / (model.errors[index] as number) - 1)).toBeLessThan(
        0.02,
      );
    });
    expect(fit.components.reduce((sum, component) => sum + component.share, 0)).toBeCloseTo(1, 12);
  },
);

test("the order of rows and of factors is nothing to the fit", () => {
  const model = models[1] as MixedModel;
  const design = designOf(model);
  const order = createRandom(3).shuffle(model.values.map((_, index) => index));
  const pick = <T>(list: readonly T[]): T[] => order.map((index) => list[index] as T);
  const shuffled: CrossedDesign = {
    values: pick(design.values),
    factors: design.factors.toReversed().map(({ name, levels }) => ({ name, levels: pick(levels) })),
    tasks: "workflow",
  };
  const [one, other] = [varianceComponents(design), varianceComponents(shuffled)];
  if (one.kind !== "fit" || other.kind !== "fit") throw new Error("refused");
  expect(other.logLikelihood).toBeCloseTo(one.logLikelihood, 6);
});

/** A full crossing with the given levels and repeats. */
function crossing(harnesses: number, models: number, workflows: number, repeats: number): CrossedDesign {
  const random = createRandom("crossing");
  const values: number[] = [];
  const levels: [string[], string[], string[]] = [[], [], []];
  for (let h = 0; h < harnesses; h++)
    for (let m = 0; m < models; m++)
      for (let w = 0; w < workflows; w++)
        for (let r = 0; r < repeats; r++) {
          values.push(random.next());
          levels[0].push(`h${h}`);
          levels[1].push(`m${m}`);
          levels[2].push(`w${w}`);
        }
  const [harness, model, workflow] = levels;
  return {
    values,
    factors: [
      { name: "harness", levels: harness },
      { name: "model", levels: model },
      { name: "workflow", levels: workflow },
    ],
    tasks: "workflow",
  };
}

function refusal(design: CrossedDesign): string {
  const fit = varianceComponents(design);
  return fit.kind === "refused" ? fit.reason : "fitted";
}

test("a design that can carry the split is fitted", () => {
  expect(refusal(crossing(3, 3, 12, 2))).toBe("fitted");
});

test("designs that cannot carry the split are refused in words", () => {
  expect(refusal(crossing(1, 3, 12, 2))).toContain("harness has 1 level");
  expect(refusal(crossing(3, 3, 4, 2))).toContain("4 workflow levels are too few");
  expect(refusal(crossing(3, 3, 12, 1))).toContain("one row per cell");
  const full = crossing(3, 3, 12, 2);
  expect(refusal({ ...full, values: full.values.map(() => 0.5) })).toContain("all values are equal");
});

test("a harness that only ever drives its own model is confounded with it", () => {
  const full = crossing(3, 3, 12, 2);
  const [harness, , workflow] = full.factors;
  if (harness === undefined || workflow === undefined) throw new Error("no factors");
  const own = { name: "model", levels: harness.levels.map((level) => `model of ${level}`) };
  expect(refusal({ ...full, factors: [harness, own, workflow] })).toContain(
    "harness is confounded with model",
  );
});

test("groups that never meet are refused", () => {
  const full = crossing(4, 4, 12, 2);
  const rows = full.values
    .map((_, row) => row)
    .filter((row) => {
      const [harness, model] = full.factors.map((factor) => Number(factor.levels[row]?.slice(1)));
      return (harness as number) < 2 === (model as number) < 2;
    });
  const factors = full.factors.map(({ name, levels }) => ({
    name,
    levels: rows.map((row) => levels[row] as string),
  }));
  expect(
    refusal({ values: rows.map((row) => full.values[row] as number), factors, tasks: "workflow" }),
  ).toContain("never meet");
});
