import type { JsonValue } from "../../contract/json-value.ts";
import { quote } from "../quote.ts";
import type { Read } from "../rubric/read.ts";
import { bad } from "../rubric/read.ts";
import { checkShape, type StructureLimits } from "./structure-limits.ts";

/**
 * JSON text of an agent as a plain value. Objects have no prototype, so no key an agent writes (`__proto__`,
 * `constructor`) means anything; of a repeated key the last counts. Numbers are IEEE doubles.
 *
 * Bad when it is no JSON, or nested or large beyond `limits`.
 * @param name how messages call it, e.g. the file's path.
 */
export function parseJson(text: string, name: string, limits: StructureLimits = {}): Read<JsonValue> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    return bad(`${name} is not JSON: ${quote((error as Error).message, 120)}.`);
  }
  return checkShape(parsed, name, limits);
}
