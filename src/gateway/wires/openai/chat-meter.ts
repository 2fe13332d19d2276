import { listAt, objectAt, textAt } from "../../../contract/json-fields.ts";
import type { Usage } from "../../../contract/usage.ts";
import type { AnswerMeter } from "../wire.ts";
import { chargedCost, openaiUsage } from "./openai-usage.ts";

/** Usage comes with the document, or with a stream's last chunk where it was asked for. */
export function createChatMeter(): AnswerMeter {
  let served: string | undefined;
  let usage: Usage | undefined;
  let refusal: string | undefined;
  let stop: string | undefined;
  let error: string | undefined;
  let providerCostUsd: number | undefined;

  return {
    read(data) {
      error = textAt(data, "error", "message") ?? error;
      served = textAt(data, "model") ?? served;
      const numbers = objectAt(data, "usage");
      if (numbers !== undefined) {
        usage = openaiUsage(numbers, { input: "prompt", output: "completion" });
        providerCostUsd = chargedCost(numbers) ?? providerCostUsd;
      }
      for (const choice of listAt(data, "choices")) {
        stop = textAt(choice, "finish_reason") ?? stop;
        const said = textAt(choice, "message", "refusal") ?? textAt(choice, "delta", "refusal");
        if (said !== undefined) refusal = (refusal ?? "") + said;
      }
      if (stop === "content_filter") refusal ??= "stopped by the provider's content filter";
    },
    facts: () => ({
      served,
      usage,
      refusal: refusal === "" ? undefined : refusal,
      stop,
      error,
      providerCostUsd,
      complete: stop !== undefined,
    }),
  };
}
