import type { JsonValue } from "../../contract/json-value.ts";
import type { Outcome } from "../outcome.ts";
import { type AgreementOptions, gradeAgreement } from "./agreement.ts";
import { itemKey } from "./item-key.ts";

/** As `setAgreement`, with repetition counted: two expected and one found is one missing. */
export function multisetAgreement(
  actual: readonly JsonValue[],
  expected: readonly JsonValue[],
  options: AgreementOptions = {},
): Outcome {
  return gradeAgreement(actual.map(itemKey), expected.map(itemKey), options);
}
