import { canonicalJson } from "../../contract/canonical-json.ts";
import type { JsonValue } from "../../contract/json-value.ts";

/** Text that is equal for equal items: `1` and `"1"` differ, the key order of objects does not matter. */
export function itemKey(item: JsonValue): string {
  return canonicalJson(item);
}
