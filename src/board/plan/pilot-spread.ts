import { known, type Maybe, unknown } from "../../contract/absence.ts";
import type { ScoringPolicy } from "../../contract/scoring-policy.ts";
import { toClusters } from "../../stats/clusters.ts";
import { pairedSide, sharedDifferences } from "../../stats/paired-difference.ts";
import type { BoardEntry } from "../board-entry.ts";
import { laneObservations, type Measure } from "../lane-estimate.ts";
import type { Spread } from "./sample-outlook.ts";

/**
 * The spread seen in a pilot: the root mean square over contestants, and over pairs of contestants, of the standard
 * deviation over workflows. Baselines that pass all or nothing show no spread and would make any plan look certain: they
 * are left out.
 */
export function pilotSpread(
  entries: readonly BoardEntry[],
  options: { readonly policy: ScoringPolicy; readonly measure: Measure; readonly name: string },
): Maybe<Spread> {
  const sides = entries.map((entry) => laneObservations(entry.trials, options.measure, options.policy));
  const varied = sides.filter((side) => (varianceOf(side) ?? 0) > 0);
  if (varied.length < 2) {
    return unknown(
      `${options.name} has ${varied.length} contestants that pass some tasks and fail others: two are needed`,
    );
  }
  const singles = varied.flatMap((side) => varianceOf(side) ?? []);
  const pairs = varied.flatMap((one, index) =>
    varied
      .slice(index + 1)
      .flatMap((other) => varianceOf(sharedDifferences(pairedSide(one), pairedSide(other))) ?? []),
  );
  const paired = rootMean(pairs);
  if (!(paired > 0)) return unknown(`the contestants of ${options.name} never part: no spread to plan from`);
  const workflows = new Set(varied.flat().map((observation) => observation.workflow)).size;
  return known({
    single: rootMean(singles),
    paired,
    source: `from ${options.name}: ${varied.length} contestants over ${workflows} workflows`,
  });
}

function varianceOf(observations: Parameters<typeof toClusters>[0]): number | undefined {
  const means = toClusters(observations, "workflow").map((cluster) => cluster.mean);
  if (means.length < 2) return undefined;
  const centre = means.reduce((sum, mean) => sum + mean, 0) / means.length;
  return means.reduce((sum, mean) => sum + (mean - centre) ** 2, 0) / (means.length - 1);
}

function rootMean(variances: readonly number[]): number {
  return Math.sqrt(variances.reduce((sum, variance) => sum + variance, 0) / Math.max(1, variances.length));
}
