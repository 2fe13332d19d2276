import type { ScoringPolicy } from "../../contract/scoring-policy.ts";
import { type BoardRun, boardEntries } from "../board-entry.ts";
import { laneEstimate, type Measure } from "../lane-estimate.ts";
import { type Figure, toFigure } from "./figure.ts";

export type TrendPoint = Figure & {
  readonly run: string;
  /** When the run was planned: milliseconds since the Unix epoch. */
  readonly at: number;
  readonly harnessVersions: readonly string[];
  readonly key: string;
  /** Whether it was graded under the key of the point before; `false` starts a new line. */
  readonly comparableToLast: boolean;
  readonly trials: number;
};

/** One contestant, by harness, model, effort and settings, over runs. */
export interface Trend {
  readonly contestant: string;
  readonly points: readonly TrendPoint[];
}

/** Contestants over time, oldest run first. Versions of a harness are points of one line: that is what a trend is for. */
export function trends(
  runs: readonly BoardRun[],
  options: {
    readonly policy: ScoringPolicy;
    readonly measure: Measure;
    readonly instances?: ReadonlySet<string>;
  },
): readonly Trend[] {
  const lines = new Map<string, { readonly contestant: string; readonly points: TrendPoint[] }>();
  const ordered = runs.toSorted((one, other) => one.plan.createdAt - other.plan.createdAt);
  for (const run of ordered) {
    const filter = options.instances === undefined ? {} : { instances: options.instances };
    for (const entry of boardEntries([run], filter)) {
      const { name: _, ...what } = entry.definition ?? { name: "", unnamed: entry.contestant };
      const identity = JSON.stringify(what);
      const line = lines.get(identity) ?? { contestant: entry.contestant, points: [] };
      lines.set(identity, line);
      const versions = entry.trials.flatMap(({ counted }) =>
        counted === undefined ? [] : [counted.result.harnessVersion],
      );
      line.points.push({
        run: run.dir,
        at: run.plan.createdAt,
        harnessVersions: [...new Set(versions)].sort(),
        key: entry.key,
        comparableToLast: line.points.at(-1)?.key === entry.key,
        trials: entry.trials.length,
        ...toFigure(laneEstimate(entry.trials, options.measure, options)),
      });
    }
  }
  return [...lines.values()];
}
