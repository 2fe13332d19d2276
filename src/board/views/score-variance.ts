import type { ScoringPolicy } from "../../contract/scoring-policy.ts";
import type { Factor } from "../../stats/crossed-design.ts";
import { type VarianceComponents, varianceComponents } from "../../stats/variance-components.ts";
import type { BoardEntry } from "../board-entry.ts";
import { laneObservations, type Measure } from "../lane-estimate.ts";

/** What scores vary with, and which factors could not be asked about. */
export interface ScoreVariance {
  readonly result: VarianceComponents;
  /** Factors with one level only, left out of the split, each with that level. */
  readonly constant: readonly { readonly factor: string; readonly level: string }[];
}

const noneNamed = "none";

/**
 * Splits the variance of trials over harness, model, effort and workflow (crossed random effects). Refused for rows of
 * unequal keys, and for designs that cannot carry it. A factor that does not vary is named and left out.
 */
export function scoreVariance(
  entries: readonly BoardEntry[],
  options: { readonly policy: ScoringPolicy; readonly measure: Measure },
): ScoreVariance {
  if (new Set(entries.map((entry) => entry.key)).size > 1) {
    const reason = "the rows were graded under unequal comparability keys";
    return { result: { kind: "refused", reason }, constant: [] };
  }
  const rows = entries.flatMap((entry) =>
    laneObservations(entry.trials, options.measure, options.policy).map((observation) => ({
      value: observation.value,
      harness: entry.definition?.harness ?? noneNamed,
      model: entry.definition?.model ?? noneNamed,
      effort: entry.definition?.effort ?? "default",
      workflow: observation.workflow,
    })),
  );
  const factors = (["harness", "model", "effort", "workflow"] as const).map(
    (name): Factor => ({ name, levels: rows.map((row) => row[name]) }),
  );
  const varies = (factor: Factor): boolean => factor.name === "workflow" || new Set(factor.levels).size > 1;
  const constant = factors
    .filter((factor) => !varies(factor))
    .map((factor) => ({ factor: factor.name, level: factor.levels[0] ?? noneNamed }));
  const result = varianceComponents({
    values: rows.map((row) => row.value),
    factors: factors.filter(varies),
    tasks: "workflow",
  });
  return { result, constant };
}
