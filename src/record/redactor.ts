import type { JsonValue } from "../contract/json-value.ts";

/** Takes secrets out of what is about to be written. */
export interface Redactor {
  /** The text with every secret replaced by `[redacted]`. */
  redact(text: string): string;
  /** The same for every string and key of a JSON value; the value itself is left as it is. */
  redactJson(value: JsonValue): JsonValue;
}

/** Shorter values occur by chance in any text, so they are not taken for secrets. */
export const shortestSecret: number = 8;

/**
 * A redactor for the given secret values, for example the API keys of the environment.
 * Values under {@link shortestSecret} characters are ignored. Longer ones go first, so that a key
 * that begins with another key leaves no tail.
 */
export function createRedactor(values: readonly string[]): Redactor {
  const secrets = [...new Set(values)]
    .filter((value) => value.length >= shortestSecret)
    .sort((first, second) => second.length - first.length);

  function redact(text: string): string {
    let result = text;
    for (const secret of secrets) result = result.replaceAll(secret, "[redacted]");
    return result;
  }

  function redactJson(value: JsonValue): JsonValue {
    if (secrets.length === 0) return value;
    if (typeof value === "string") return redact(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(redactJson);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), redactJson(item)]));
  }

  return { redact, redactJson };
}
