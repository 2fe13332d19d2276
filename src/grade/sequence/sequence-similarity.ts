import { AleError } from "../../contract/ale-error.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { Outcome } from "../outcome.ts";
import { itemKey } from "./item-key.ts";
import { lcsLength } from "./lcs-length.ts";

const maxItems = 50_000;

/**
 * Order-minding similarity of two sequences: 2·L / (n + m), with L the length of their longest common
 * subsequence; 1 for two empty ones. Symmetric. Every missing, extra or displaced item lowers it. An artifact of
 * more than 50,000 items scores 0; a reference as long is an `AleError` coded `reference-too-long`.
 */
export function sequenceSimilarity(actual: readonly JsonValue[], expected: readonly JsonValue[]): Outcome {
  if (expected.length > maxItems) {
    throw new AleError({
      code: "reference-too-long",
      message: `The expected sequence has ${expected.length} items; at most ${maxItems} can be compared in order.`,
      remedy: "Compare as a multiset, or split the sequence.",
    });
  }
  if (actual.length > maxItems) {
    return { score: 0, message: `${actual.length} items are too many: at most ${maxItems} are compared.` };
  }
  const common = lcsLength(actual.map(itemKey), expected.map(itemKey));
  const total = actual.length + expected.length;
  return {
    score: total === 0 ? 1 : (2 * common) / total,
    message: `${common} of ${expected.length} expected items are in order, among ${actual.length} given.`,
    evidence: { common, actual: actual.length, expected: expected.length },
  };
}
