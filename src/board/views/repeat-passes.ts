import { unknown } from "../../contract/absence.ts";
import type { ScoringPolicy } from "../../contract/scoring-policy.ts";
import { clusteredMean } from "../../stats/clustered-mean.ts";
import type { Observation } from "../../stats/clusters.ts";
import { pairedSide } from "../../stats/paired-difference.ts";
import { passAtK, passHatK } from "../../stats/pass-at-k.ts";
import type { BoardEntry } from "../board-entry.ts";
import { laneObservations } from "../lane-estimate.ts";
import { type Figure, toFigure } from "./figure.ts";

/** Chances over k runs, workflows weighing alike. */
export interface RepeatPasses {
  readonly contestant: string;
  readonly k: number;
  /** Of instances, how many have at least k runs with a known score. */
  readonly instances: number;
  readonly tooFewRuns: number;
  /** At least one of k runs passes (pass@k). */
  readonly any: Figure;
  /** All of k runs pass (pass^k). */
  readonly all: Figure;
}

/** pass@k and pass^k for every k up to the most runs of an instance. Unknown as soon as an instance has fewer runs. */
export function repeatPasses(entries: readonly BoardEntry[], policy: ScoringPolicy): readonly RepeatPasses[] {
  return entries.flatMap((entry) => {
    const tallies = [...pairedSide(laneObservations(entry.trials, "full-pass", policy))];
    const most = Math.max(0, ...tallies.map(([, tally]) => tally.count));
    return Array.from({ length: most }, (_, index): RepeatPasses => {
      const k = index + 1;
      const enough = tallies.filter(([, tally]) => tally.count >= k);
      const tooFewRuns = tallies.length - enough.length;
      const figure = (chance: typeof passAtK): Figure => {
        const values = enough.map(([instance, { workflow, sum, count }]): Observation => {
          const value = chance(sum, count, k);
          return { workflow, instance, value: value.known ? value.value : 0 };
        });
        if (tooFewRuns === 0) return toFigure(clusteredMean(values, { range: [0, 1] }));
        const reason = unknown(`${tooFewRuns} of ${tallies.length} instances have fewer than ${k} runs`);
        return toFigure({ value: reason, interval: reason });
      };
      return {
        contestant: entry.contestant,
        k,
        instances: enough.length,
        tooFewRuns,
        any: figure(passAtK),
        all: figure(passHatK),
      };
    });
  });
}
