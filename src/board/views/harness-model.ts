import type { ScoringPolicy } from "../../contract/scoring-policy.ts";
import type { BoardEntry } from "../board-entry.ts";
import { laneEstimate, type Measure } from "../lane-estimate.ts";
import { type Figure, toFigure } from "./figure.ts";

export type HarnessModelCell = Figure & {
  readonly harness: string;
  readonly model: string;
  readonly contestant: string;
  readonly trials: number;
};

/** Harnesses by models at one effort and one comparability key. A pair without a cell was not run. */
export interface HarnessModelMap {
  readonly effort: string;
  readonly key: string;
  readonly harnesses: readonly string[];
  readonly models: readonly string[];
  readonly cells: readonly HarnessModelCell[];
}

/** A heat map for each effort and key. Contestants without a model are left to the board: they are no pair. */
export function harnessModelMaps(
  entries: readonly BoardEntry[],
  options: { readonly policy: ScoringPolicy; readonly measure: Measure },
): readonly HarnessModelMap[] {
  const pairs = entries.flatMap((entry) => {
    const { harness, model, effort = "default" } = entry.definition ?? {};
    return harness === undefined || model === undefined ? [] : [{ entry, harness, model, effort }];
  });
  const groups = Map.groupBy(pairs, ({ entry, effort }) => JSON.stringify([effort, entry.key]));
  return [...groups.values()].map((group): HarnessModelMap => {
    const cells = group.map(({ entry, harness, model }) => ({
      harness,
      model,
      contestant: entry.contestant,
      trials: entry.trials.length,
      ...toFigure(laneEstimate(entry.trials, options.measure, options)),
    }));
    return {
      effort: group[0]?.effort ?? "default",
      key: group[0]?.entry.key ?? "",
      harnesses: [...new Set(cells.map((cell) => cell.harness))].sort(),
      models: [...new Set(cells.map((cell) => cell.model))].sort(),
      cells,
    };
  });
}
