import type { JsonValue } from "./json-value.ts";

/** What stands at a path of keys and indices, or `undefined`. For data we receive and do not own. */
export function fieldAt(
  value: JsonValue | undefined,
  ...path: readonly (string | number)[]
): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = Array.isArray(found)
      ? (found[Number(key)] as JsonValue | undefined)
      : (found as { readonly [key: string]: JsonValue })[String(key)];
  }
  return found;
}

/** The text there, or `undefined` for anything else. */
export function textAt(
  value: JsonValue | undefined,
  ...path: readonly (string | number)[]
): string | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** The finite number there, or `undefined` for anything else. */
export function numberAt(
  value: JsonValue | undefined,
  ...path: readonly (string | number)[]
): number | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** The list there; empty for anything else. */
export function listAt(
  value: JsonValue | undefined,
  ...path: readonly (string | number)[]
): readonly JsonValue[] {
  const found = fieldAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The object there, or `undefined` for anything else. */
export function objectAt(
  value: JsonValue | undefined,
  ...path: readonly (string | number)[]
): { readonly [key: string]: JsonValue } | undefined {
  const found = fieldAt(value, ...path);
  if (typeof found !== "object" || found === null || Array.isArray(found)) return undefined;
  return found as { readonly [key: string]: JsonValue };
}

/** The value, or `undefined` where the text is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
