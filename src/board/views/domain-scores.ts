import { parseInstanceId } from "../../contract/ids.ts";
import type { ScoringPolicy } from "../../contract/scoring-policy.ts";
import type { BoardEntry } from "../board-entry.ts";
import { laneEstimate, type Measure } from "../lane-estimate.ts";
import { type Figure, toFigure } from "./figure.ts";

/** A contestant's score in one domain. */
export type DomainScore = Figure & {
  readonly domain: string;
  readonly contestant: string;
  readonly key: string;
  readonly workflows: number;
  readonly trials: number;
};

/** Scores by domain, for a dot plot: domains in order, the contestants' order within kept. */
export function domainScores(
  entries: readonly BoardEntry[],
  options: { readonly policy: ScoringPolicy; readonly measure: Measure },
): readonly DomainScore[] {
  const domainOf = (instance: string): string => parseInstanceId(instance).domain;
  const domains = new Set(entries.flatMap((entry) => entry.trials.map((trial) => domainOf(trial.instance))));
  return [...domains].sort().flatMap((domain) =>
    entries.flatMap((entry): DomainScore[] => {
      const trials = entry.trials.filter((trial) => domainOf(trial.instance) === domain);
      if (trials.length === 0) return [];
      const estimate = laneEstimate(trials, options.measure, options);
      const { contestant, key } = entry;
      const { workflows } = estimate;
      return [{ domain, contestant, key, workflows, trials: trials.length, ...toFigure(estimate) }];
    }),
  );
}
