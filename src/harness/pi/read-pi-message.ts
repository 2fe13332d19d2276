import { fieldAt, listAt, numberAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { addUsage } from "../../contract/usage.ts";
import { claimedUsage, type UsageNames } from "../trajectory/claimed-usage.ts";
import { classifyFailure } from "../trajectory/classify-failure.ts";
import type { StreamEvent } from "../trajectory/stream-event.ts";
import type { StreamEnding } from "../trajectory/stream-reader.ts";
import type { StreamState } from "../trajectory/stream-state.ts";

/** `reasoning` is its name for the reasoning tokens. */
function perMessage(reasoning: string): UsageNames {
  return {
    names: {
      input: ["input"],
      cached: ["cacheRead"],
      cacheWrite: ["cacheWrite"],
      output: ["output"],
      reasoning: [reasoning],
    },
    inputIncludesCached: false,
  };
}

/**
 * Reads a whole message of the assistant as pi keeps it, and programs built on pi; its stop reason is how the work has
 * ended until another one says otherwise. A cost of 0 is of a model it has no price for.
 */
export function readPiMessage(
  message: JsonValue | undefined,
  group: string,
  state: StreamState,
  reasoning = "reasoning",
): readonly StreamEvent[] {
  const model = textAt(message, "model");
  const place = { group, ...(model === undefined ? {} : { model }) };
  const usage = claimedUsage(fieldAt(message, "usage"), 1, perMessage(reasoning));
  const ending = endingOf(message);
  if (ending === undefined) delete state.ending;
  else state.ending = ending;
  const told = listAt(message, "content").map((block): StreamEvent => {
    const text = textAt(block, "text");
    if (textAt(block, "type") === "text" && text !== undefined) return { kind: "text", text, ...place };
    const thinking = textAt(block, "thinking");
    if (thinking !== undefined) return { kind: "reasoning", text: thinking, ...place };
    const id = textAt(block, "id");
    if (textAt(block, "type") !== "toolCall" || id === undefined) return { kind: "other", event: block };
    const name = textAt(block, "name") ?? "";
    return { kind: "call", id, name, arguments: fieldAt(block, "arguments") ?? {}, ...place };
  });
  if (model !== undefined) state.models.add(model);
  if (usage.input + usage.output === 0) return told;
  const cost = numberAt(message, "usage", "cost", "total");
  state.usage = addUsage(state.usage, usage);
  if (cost !== undefined && cost > 0) state.costUsd = (state.costUsd ?? 0) + cost;
  const metrics = {
    prompt_tokens: usage.input,
    cached_tokens: usage.cached,
    completion_tokens: usage.output,
    ...(cost !== undefined && cost > 0 ? { cost_usd: cost } : {}),
  };
  return [...told, { kind: "metrics", metrics, ...place }];
}

export function piFailure(message: string): Extract<StreamEnding, { readonly kind: "error" }> {
  return { kind: "error", error: classifyFailure(message), message };
}

function endingOf(message: JsonValue | undefined): StreamEnding | undefined {
  const words = textAt(message, "errorMessage") ?? "";
  switch (textAt(message, "stopReason")) {
    case "stop":
      return { kind: "completed" };
    case "error":
      return piFailure(words);
    case "aborted":
      return { kind: "error", error: "killed", message: words || "the message was aborted" };
    case "length":
      return {
        kind: "error",
        error: "other",
        message: "the last answer was cut at the limit of output tokens",
      };
    default:
      return undefined;
  }
}
