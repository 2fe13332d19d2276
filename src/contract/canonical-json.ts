import type { JsonValue } from "./json-value.ts";

/**
 * JSON with the keys of every object in code-unit order and no spaces: equal values give equal text.
 * Numbers and strings are written as `JSON.stringify` writes them (RFC 8785, section 3.2.2), so `-0` is `0`.
 * Throws a `TypeError` for a number that is not finite.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`${value} has no place in JSON`);
  }
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const entries = value as { readonly [key: string]: JsonValue };
  const members = Object.keys(entries)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(entries[key] as JsonValue)}`);
  return `{${members.join(",")}}`;
}
