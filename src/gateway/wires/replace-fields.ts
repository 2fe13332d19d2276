import { objectAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";

/** The object with these fields in place of its own; anything else as it is. */
export function withFields(
  body: JsonValue | undefined,
  fields: { readonly [key: string]: JsonValue },
): { readonly [key: string]: JsonValue } {
  return { ...objectAt(body), ...fields };
}
