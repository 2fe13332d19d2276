import { fieldAt, listAt, numberAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { addUsage, claimedUsage, type UsageNames } from "../trajectory/claimed-usage.ts";
import { classifyFailure } from "../trajectory/classify-failure.ts";
import { contentParts } from "../trajectory/content-parts.ts";
import { createStreamReader } from "../trajectory/create-stream-reader.ts";
import type { StreamEvent } from "../trajectory/stream-event.ts";
import type { StreamEnding, StreamReader } from "../trajectory/stream-reader.ts";
import { noteSession, type StreamState } from "../trajectory/stream-state.ts";

const perMessage: UsageNames = {
  names: {
    input: ["input"],
    cached: ["cacheRead"],
    cacheWrite: ["cacheWrite"],
    output: ["output"],
    reasoning: ["reasoning"],
  },
  inputIncludesCached: false,
};

/** Said again, whole, by `message_end` and `tool_execution_end`. */
const repeated = new Set([
  "message_start",
  "message_update",
  "tool_execution_start",
  "tool_execution_update",
  "turn_start",
  "turn_end",
  "agent_start",
  "agent_end",
]);

/**
 * pi's `--mode json`, of 0.73 and 1.6. It exits with 0 after a failure: the last message's stop reason decides.
 * A cost of 0 is of a model it has no price for.
 */
export function readPiStream(): StreamReader {
  let messages = 0;

  function takeAssistant(message: JsonValue | undefined, state: StreamState): readonly StreamEvent[] {
    messages += 1;
    const model = textAt(message, "model");
    const place = { group: `message ${messages}`, ...(model === undefined ? {} : { model }) };
    const usage = claimedUsage(fieldAt(message, "usage"), 1, perMessage);
    const spent = usage.input + usage.output > 0;
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
    if (!spent) return told;
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

  function takeMessage(event: JsonValue, state: StreamState): readonly StreamEvent[] {
    const message = fieldAt(event, "message");
    switch (textAt(message, "role")) {
      case "assistant":
        return takeAssistant(message, state);
      case "user":
        return [{ kind: "message", source: "user", content: contentParts(fieldAt(message, "content")) }];
      case "toolResult":
        return [];
      default:
        return [{ kind: "other", event }];
    }
  }

  function take(event: JsonValue, state: StreamState): readonly StreamEvent[] {
    const type = textAt(event, "type") ?? "";
    if (repeated.has(type)) return [];
    if (type === "message_end") return takeMessage(event, state);
    const call = textAt(event, "toolCallId");
    if (type === "tool_execution_end" && call !== undefined) return [resultOf(event, call)];
    if (type === "session") noteSession(state, textAt(event, "id"));
    if (type === "auto_retry_start") {
      delete state.ending;
      state.trouble = failure(textAt(event, "errorMessage") ?? "");
    }
    if (type === "auto_retry_end" && fieldAt(event, "success") === true) delete state.trouble;
    return [{ kind: "other", event }];
  }

  // 0.73 repeats the whole message in every update; they are the bulk of its output and are not even parsed.
  return createStreamReader({ take, skips: (line) => line.startsWith('{"type":"message_update"') });
}

function endingOf(message: JsonValue | undefined): StreamEnding | undefined {
  const words = textAt(message, "errorMessage") ?? "";
  switch (textAt(message, "stopReason")) {
    case "stop":
      return { kind: "completed" };
    case "error":
      return failure(words);
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

function resultOf(event: JsonValue, call: string): StreamEvent {
  const exitCode = numberAt(event, "result", "structuredContent", "exit_code");
  return {
    kind: "result",
    call,
    content: contentParts(fieldAt(event, "result", "content")),
    failed: fieldAt(event, "isError") === true,
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}

function failure(message: string): Extract<StreamEnding, { readonly kind: "error" }> {
  return { kind: "error", error: classifyFailure(message), message };
}
