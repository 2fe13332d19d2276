import type { Outcome } from "../outcome.ts";
import { exactText } from "./exact-text.ts";
import { normaliseText, type TextNormalisation } from "./normalise-text.ts";
import { tooLong } from "./text-limit.ts";

/** 1 when the texts are equal after {@link normaliseText}, else 0. */
export function normalisedText(actual: string, expected: string, options: TextNormalisation = {}): Outcome {
  return tooLong(actual) ?? exactText(normaliseText(actual, options), normaliseText(expected, options));
}
