import type { JsonValue } from "../../../contract/json-value.ts";
import type { GatewayErrorKind } from "../wire.ts";

const errors: Readonly<Record<GatewayErrorKind, readonly [number, string, string | null]>> = {
  unauthorised: [401, "invalid_request_error", "invalid_api_key"],
  "unknown-model": [404, "invalid_request_error", "model_not_found"],
  invalid: [400, "invalid_request_error", null],
  limit: [429, "insufficient_quota", "insufficient_quota"],
  unavailable: [503, "server_error", null],
  diverged: [400, "invalid_request_error", null],
};

/** An error of both OpenAI wires. */
export function openaiError(
  kind: GatewayErrorKind,
  message: string,
): { readonly status: number; readonly body: JsonValue } {
  const [status, type, code] = errors[kind];
  return { status, body: { error: { message, type, param: null, code } } };
}
