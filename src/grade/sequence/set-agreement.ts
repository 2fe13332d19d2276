import type { JsonValue } from "../../contract/json-value.ts";
import type { Outcome } from "../outcome.ts";
import { type AgreementOptions, gradeAgreement } from "./agreement.ts";
import { itemKey } from "./item-key.ts";

/**
 * Agreement of two sets: order and repetition mean nothing. With `score: "recall"` extra items cost nothing, with
 * `"precision"` missing ones do not; an empty answer to a non-empty expectation scores 0 in any case.
 */
export function setAgreement(
  actual: readonly JsonValue[],
  expected: readonly JsonValue[],
  options: AgreementOptions = {},
): Outcome {
  return gradeAgreement([...new Set(actual.map(itemKey))], [...new Set(expected.map(itemKey))], options);
}
