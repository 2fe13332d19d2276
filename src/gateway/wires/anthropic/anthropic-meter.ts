import { numberAt, objectAt, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import type { Usage } from "../../../contract/usage.ts";
import { countedUsage } from "../counted-usage.ts";
import type { AnswerMeter } from "../wire.ts";

/**
 * Numbers come with the first event and again, cumulative, with the last; the latest of each holds. `input_tokens`
 * leaves out what was read from or written to the cache; thinking is part of the output.
 */
export function createAnthropicMeter(): AnswerMeter {
  let served: string | undefined;
  let stop: string | undefined;
  let error: string | undefined;
  let complete = false;
  let numbers: { readonly [key: string]: JsonValue } | undefined;
  let refusal: string | undefined;

  function readMessage(message: JsonValue | undefined): void {
    served = textAt(message, "model") ?? served;
    readUsage(message);
  }

  function readUsage(holder: JsonValue | undefined): void {
    const given = objectAt(holder, "usage");
    if (given === undefined) return;
    // A later event repeats some numbers as null.
    const told = Object.entries(given).filter(([, value]) => value !== null);
    numbers = { ...numbers, ...Object.fromEntries(told) };
  }

  function readStop(holder: JsonValue | undefined): void {
    stop = textAt(holder, "stop_reason") ?? stop;
    if (stop !== "refusal") return;
    refusal = textAt(holder, "stop_details", "explanation") ?? "the model declined";
  }

  return {
    read(data) {
      switch (textAt(data, "type")) {
        case "message":
          readMessage(data);
          readStop(data);
          complete = true;
          break;
        case "message_start":
          readMessage(objectAt(data, "message"));
          break;
        case "message_delta":
          readUsage(data);
          readStop(objectAt(data, "delta"));
          break;
        case "message_stop":
          complete = true;
          break;
        case "error":
          error = textAt(data, "error", "message") ?? "an error without a message";
          break;
      }
    },
    facts: () => ({
      served,
      usage: numbers === undefined ? undefined : toUsage(numbers),
      refusal,
      stop,
      error,
      providerCostUsd: undefined,
      complete,
    }),
  };
}

function toUsage(numbers: JsonValue): Usage | undefined {
  const plain = numberAt(numbers, "input_tokens");
  const cached = numberAt(numbers, "cache_read_input_tokens");
  const cacheWrite = numberAt(numbers, "cache_creation_input_tokens");
  return countedUsage({
    input: plain === undefined ? undefined : plain + (cached ?? 0) + (cacheWrite ?? 0),
    cached,
    cacheWrite,
    output: numberAt(numbers, "output_tokens"),
    reasoning: numberAt(numbers, "output_tokens_details", "thinking_tokens"),
  });
}
