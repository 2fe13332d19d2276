import { listAt, numberAt, objectAt, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import type { Usage } from "../../../contract/usage.ts";
import { countedUsage } from "../counted-usage.ts";
import type { AnswerMeter } from "../wire.ts";

const declined =
  /^(SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|IMAGE_SAFETY|IMAGE_PROHIBITED_CONTENT)$/;

/** Every chunk repeats the usage so far; the last holds. Thoughts are apart from the candidates' tokens. */
export function createGeminiMeter(): AnswerMeter {
  let served: string | undefined;
  let usage: Usage | undefined;
  let refusal: string | undefined;
  let stop: string | undefined;
  let error: string | undefined;

  function readChunk(data: JsonValue): void {
    served = textAt(data, "modelVersion") ?? served;
    error = textAt(data, "error", "message") ?? error;
    const numbers = objectAt(data, "usageMetadata");
    if (numbers !== undefined) usage = toUsage(numbers);
    const blocked = textAt(data, "promptFeedback", "blockReason");
    if (blocked !== undefined) {
      stop = blocked;
      refusal = `the prompt was blocked: ${blocked}`;
    }
    for (const candidate of listAt(data, "candidates")) {
      const reason = textAt(candidate, "finishReason");
      stop = reason ?? stop;
      if (reason !== undefined && declined.test(reason)) {
        refusal = textAt(candidate, "finishMessage") ?? `the answer was stopped: ${reason}`;
      }
    }
  }

  return {
    read(data) {
      // Without `alt=sse` a stream is one long list.
      if (Array.isArray(data)) for (const chunk of data) readChunk(chunk);
      else readChunk(data);
    },
    facts: () => ({
      served,
      usage,
      refusal,
      stop,
      error,
      providerCostUsd: undefined,
      complete: stop !== undefined,
    }),
  };
}

function toUsage(numbers: JsonValue): Usage | undefined {
  const reasoning = numberAt(numbers, "thoughtsTokenCount");
  const prompt = numberAt(numbers, "promptTokenCount");
  const said = numberAt(numbers, "candidatesTokenCount") ?? (reasoning === undefined ? undefined : 0);
  return countedUsage({
    input: prompt === undefined ? undefined : prompt + (numberAt(numbers, "toolUsePromptTokenCount") ?? 0),
    cached: numberAt(numbers, "cachedContentTokenCount"),
    cacheWrite: 0,
    output: said === undefined ? undefined : said + (reasoning ?? 0),
    reasoning,
  });
}
