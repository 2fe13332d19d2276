import type { Effort } from "../../contract/contestant.ts";
import type { ScoringPolicy } from "../../contract/scoring-policy.ts";
import type { BoardEntry } from "../board-entry.ts";
import { costPerPass } from "../cost-per-pass.ts";
import { sumOver } from "../counted-trial.ts";
import { laneEstimate, type Measure } from "../lane-estimate.ts";
import { type Nullable, nullable } from "../nullable.ts";
import { type Figure, toFigure } from "./figure.ts";

export type EffortPoint = Figure &
  Nullable<"costUsd"> & {
    readonly contestant: string;
    readonly effort: Effort | "default";
    readonly trials: number;
    readonly costPerPass: Figure;
  };

/** One harness and model over its efforts, least first; the harness's own default stands first. */
export interface EffortCurve {
  readonly harness: string;
  readonly model: string;
  /** Comparability key all points share. */
  readonly key: string;
  readonly points: readonly EffortPoint[];
}

const order: readonly (Effort | "default")[] = [
  "default",
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
];

/** Curves of two efforts or more, all else equal: harness, model, settings and comparability key. */
export function effortCurves(
  entries: readonly BoardEntry[],
  options: { readonly policy: ScoringPolicy; readonly measure: Measure },
): readonly EffortCurve[] {
  const named = entries.flatMap((entry) =>
    entry.definition === undefined ? [] : [{ entry, contestant: entry.definition }],
  );
  const groups = Map.groupBy(named, ({ entry, contestant: { harness, model, settings } }) =>
    JSON.stringify([harness, model ?? "", settings, entry.key]),
  );
  return [...groups.values()].flatMap((group): EffortCurve[] => {
    const [first] = group;
    if (first === undefined || new Set(group.map((own) => own.contestant.effort)).size < 2) return [];
    const points = group.map(
      ({ entry, contestant }): EffortPoint => ({
        contestant: entry.contestant,
        effort: contestant.effort ?? "default",
        trials: entry.trials.length,
        ...toFigure(laneEstimate(entry.trials, options.measure, options)),
        ...nullable(
          "costUsd",
          sumOver(entry.trials, (result) => result.costUsd),
        ),
        costPerPass: toFigure(costPerPass(entry.trials, options.policy)),
      }),
    );
    points.sort((one, other) => order.indexOf(one.effort) - order.indexOf(other.effort));
    const { harness, model = "" } = first.contestant;
    return [{ harness, model, key: first.entry.key, points }];
  });
}
