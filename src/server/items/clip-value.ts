import type { JsonValue } from "../../contract/json-value.ts";

/** Texts longer than this are cut in lists, in UTF-16 units. */
const longest = 4000;
const kept = 2000;

/** A value with its long texts cut to their beginning, and whether any was. */
export function clipValue(value: JsonValue): { readonly value: JsonValue; readonly clipped: boolean } {
  let clipped = false;
  function clip(part: JsonValue): JsonValue {
    if (typeof part === "string") {
      if (part.length <= longest) return part;
      clipped = true;
      return `${part.slice(0, kept)}…`;
    }
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map((item: JsonValue) => clip(item));
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, clip(item)]));
  }
  const result = clip(value);
  return { value: clipped ? result : value, clipped };
}
