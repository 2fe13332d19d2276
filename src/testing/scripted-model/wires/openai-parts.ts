import { listAt, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";

/** The text of a message's content, given as a string or in parts. */
export function partsText(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  return listAt(content)
    .map((part) => textAt(part, "text") ?? "")
    .filter((text) => text !== "")
    .join("\n");
}

/** Images among the parts of a content. */
export function partsImages(content: JsonValue | undefined): number {
  return listAt(content).filter((part) => /image/.test(textAt(part, "type") ?? "")).length;
}

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_exceeded",
};

/** An error of both OpenAI wires. */
export function openaiError(status: number, message: string): JsonValue {
  return { error: { message, type: errorTypes[status] ?? "server_error", param: null, code: null } };
}
