import type { JsonValue } from "../../contract/json-value.ts";
import type { Outcome } from "../outcome.ts";

/** What came of reading an artifact: its value, or the outcome that its failing earns. */
export type Read<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "bad"; readonly outcome: Outcome };

/** A value that was read. */
export function ok<T>(value: T): Read<T> {
  return { kind: "ok", value };
}

/** An artifact that failed: score 0, and why. */
export function bad(message: string, evidence?: JsonValue): Read<never> {
  return { kind: "bad", outcome: { score: 0, message, ...(evidence === undefined ? {} : { evidence }) } };
}
