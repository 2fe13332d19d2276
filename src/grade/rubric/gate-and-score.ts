import { AleError } from "../../contract/ale-error.ts";
import type { Check, Verdict } from "../../contract/verdict.ts";
import { buildVerdict } from "./build-verdict.ts";
import { weightedMean } from "./weighted-mean.ts";

/**
 * First the gates, then the score: every check of `gates` becomes a pure gate, and the weighted mean of
 * `scored` counts only when all gates are at 1. For work that is worthless unless it is feasible.
 *
 * Throws an `AleError` coded `check-misuse` when either list is empty, or `scored` holds a gate.
 */
export function gateAndScore(gates: readonly Check[], scored: readonly Check[]): Verdict {
  const score = weightedMean(scored);
  if (gates.length === 0 || score === undefined || scored.some((item) => item.gate)) {
    throw new AleError({
      code: "check-misuse",
      message: `gateAndScore needs gates, and scored checks that are no gates; got ${gates.length} and ${scored.length}.`,
      remedy: "Pass the gates first and the scored checks second, or use weightedRubric.",
    });
  }
  const pure = gates.map((item): Check => ({ ...item, gate: true, weight: 0 }));
  return buildVerdict("gate-and-score", [...pure, ...scored], score);
}
