import type { ServerResponse } from "node:http";
import type { JsonValue } from "../../contract/json-value.ts";

/** Answers with an error that the official clients do not try again. */
export function sendError(
  response: ServerResponse,
  error: { readonly status: number; readonly body: JsonValue },
): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(error.status, { "content-type": "application/json", "x-should-retry": "false" });
  response.end(JSON.stringify(error.body));
}
