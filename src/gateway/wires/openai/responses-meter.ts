import { listAt, objectAt, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import type { Usage } from "../../../contract/usage.ts";
import type { AnswerMeter } from "../wire.ts";
import { chargedCost, openaiUsage } from "./openai-usage.ts";

/** The whole response is in the document, and again in a stream's last event. */
export function createResponsesMeter(): AnswerMeter {
  let served: string | undefined;
  let usage: Usage | undefined;
  let refusal: string | undefined;
  let stop: string | undefined;
  let error: string | undefined;
  let providerCostUsd: number | undefined;
  let complete = false;

  function readResponse(response: JsonValue | undefined): void {
    served = textAt(response, "model") ?? served;
    const numbers = objectAt(response, "usage");
    if (numbers !== undefined) {
      usage = openaiUsage(numbers, { input: "input", output: "output" });
      providerCostUsd = chargedCost(numbers) ?? providerCostUsd;
    }
    error = textAt(response, "error", "message") ?? error;
    const status = textAt(response, "status");
    if (status === undefined || status === "in_progress" || status === "queued") return;
    complete = true;
    stop = textAt(response, "incomplete_details", "reason") ?? status;
    if (stop === "content_filter") refusal = "stopped by the provider's content filter";
    const parts = listAt(response, "output").flatMap((item) => listAt(item, "content"));
    const said = parts.map((part) => textAt(part, "refusal")).find((text) => text !== undefined);
    refusal = said ?? refusal;
  }

  return {
    read(data) {
      const type = textAt(data, "type");
      if (type === "error") error = textAt(data, "message") ?? textAt(data, "error", "message") ?? type;
      else readResponse(type === undefined ? data : objectAt(data, "response"));
    },
    facts: () => ({ served, usage, refusal, stop, error, providerCostUsd, complete }),
  };
}
