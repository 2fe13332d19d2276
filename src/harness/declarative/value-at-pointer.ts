import type { JsonPointer } from "../../contract/harness-file.ts";
import { fieldAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";

/** What a JSON pointer leads to (RFC 6901), or `undefined`, also for no pointer. */
export function valueAtPointer(value: JsonValue, pointer: JsonPointer | undefined): JsonValue | undefined {
  if (pointer === undefined) return undefined;
  const steps = pointer.split("/").slice(1);
  return fieldAt(value, ...steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")));
}
