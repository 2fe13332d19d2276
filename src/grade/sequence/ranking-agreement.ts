import { AleError } from "../../contract/ale-error.ts";
import { numberText } from "../number/number-text.ts";
import type { Outcome } from "../outcome.ts";
import { agreementOf } from "./agreement.ts";
import { kendallTau, spearman } from "./rank-correlation.ts";

export interface RankingOptions {
  readonly method: "spearman" | "kendall";
}

const maxItems = 5000;

/**
 * How well one ranking, best first, follows another: max(0, correlation over the items of both) · F1 of the two
 * sets of items. An order at random scores about 0, the reverse 0, the same 1; a repeated item counts where it
 * first stands, and as one too many. With one item in common the correlation counts as 1.
 *
 * Throws an `AleError` coded `broken-reference` when the expected ranking repeats an item, is empty, or has more
 * than 5000.
 */
export function rankingAgreement(
  actual: readonly string[],
  expected: readonly string[],
  options: RankingOptions,
): Outcome {
  const wanted = new Map(expected.map((item, index) => [item, index]));
  if (wanted.size !== expected.length || expected.length === 0 || expected.length > maxItems) {
    throw new AleError({
      code: "broken-reference",
      message: `The expected ranking of ${expected.length} items is empty, repeats an item or is over ${maxItems}.`,
      remedy: "Give each item once.",
    });
  }
  const places: number[] = [];
  for (const item of new Set(actual)) {
    const place = wanted.get(item);
    if (place !== undefined) places.push(place);
  }
  const { f1 } = agreementOf(places.length, actual.length, expected.length);
  const order = places.map((_place, index) => index);
  const correlate = options.method === "spearman" ? spearman : kendallTau;
  const correlation = correlate(order, places) ?? places.length;
  const shownCorrelation = numberText(correlation, (shown) => (shown === 1) === (correlation === 1));
  return {
    score: Math.max(0, correlation) * f1,
    message: `${places.length} of ${expected.length} items ranked, ${options.method} correlation ${shownCorrelation}.`,
    evidence: { correlation, f1, common: places.length },
  };
}
