import { fieldAt, numberAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { claimedUsage, type UsageNames } from "../trajectory/claimed-usage.ts";
import { classifyFailure } from "../trajectory/classify-failure.ts";
import { contentParts } from "../trajectory/content-parts.ts";
import { createStreamReader } from "../trajectory/create-stream-reader.ts";
import type { StreamEvent } from "../trajectory/stream-event.ts";
import type { StreamReader } from "../trajectory/stream-reader.ts";
import { noteSession, type StreamState } from "../trajectory/stream-state.ts";

const counts: UsageNames = {
  names: {
    input: ["inputTokens"],
    cached: ["cacheReadTokens"],
    cacheWrite: ["cacheWriteTokens"],
    output: ["outputTokens"],
  },
  inputIncludesCached: true,
};

/** `cline --json`. Text comes in pieces and then whole; the pieces are dropped. A cost of 0 is of a model without a price. */
export function readClineStream(): StreamReader {
  let iteration = 0;
  let calls = 0;

  function takeInner(inner: JsonValue | undefined, event: JsonValue): readonly StreamEvent[] {
    const place = { group: `iteration ${iteration}` };
    const isTool = textAt(inner, "contentType") === "tool";
    const id = textAt(inner, "toolCallId");
    const text = textAt(inner, "text");
    switch (textAt(inner, "type")) {
      case "iteration_start":
        iteration += 1;
        return [];
      case "iteration_end":
      case "content_update":
        return [];
      case "content_start": {
        if (!isTool || id === undefined) return isTool ? [{ kind: "other", event }] : [];
        const name = textAt(inner, "toolName") ?? "";
        return [{ kind: "call", id, name, arguments: fieldAt(inner, "input") ?? {}, ...place }];
      }
      case "content_end":
        if (isTool && id !== undefined) return [resultOf(inner, id)];
        if (text === undefined) return [{ kind: "other", event }];
        return [
          { kind: textAt(inner, "contentType") === "reasoning" ? "reasoning" : "text", text, ...place },
        ];
      case "usage": {
        calls += 1;
        const usage = claimedUsage(inner, 1, counts);
        const metrics = {
          prompt_tokens: usage.input,
          cached_tokens: usage.cached,
          completion_tokens: usage.output,
        };
        return [{ kind: "metrics", metrics, ...place }];
      }
      default:
        return [{ kind: "other", event }];
    }
  }

  function takeEnd(end: JsonValue | undefined, reason: string, state: StreamState): void {
    const usage = fieldAt(end, "aggregateUsage") ?? fieldAt(end, "usage");
    if (usage !== undefined) state.usage = claimedUsage(usage, calls, counts);
    const cost = numberAt(usage, "totalCost");
    if (cost !== undefined && cost > 0) state.costUsd = cost;
    const model = textAt(end, "model", "id");
    if (model !== undefined) state.models.add(model);
    const text = textAt(end, "text") ?? "";
    if (reason === "completed") {
      state.finalMessage = text;
      state.ending = { kind: "completed" };
      return;
    }
    const message = textAt(end, "error", "message") ?? textAt(end, "error") ?? (text || reason);
    const killed = reason === "aborted" || reason === "cancelled";
    state.ending = {
      kind: "error",
      error: killed ? "killed" : classifyFailure(`${reason} ${message}`),
      message,
    };
  }

  function take(event: JsonValue, state: StreamState): readonly StreamEvent[] {
    const inner = fieldAt(event, "event");
    switch (textAt(event, "type")) {
      case "agent_event":
        if (textAt(inner, "type") === "done") takeEnd(inner, textAt(inner, "reason") ?? "", state);
        return takeInner(inner, event);
      case "run_result":
        takeEnd(event, textAt(event, "finishReason") ?? "", state);
        return [{ kind: "other", event }];
      case "hook_event":
        noteSession(state, textAt(event, "taskId"));
        return [{ kind: "other", event }];
      default:
        return [{ kind: "other", event }];
    }
  }

  return createStreamReader({ take });
}

function resultOf(inner: JsonValue | undefined, call: string): StreamEvent {
  const output = fieldAt(inner, "output") ?? fieldAt(inner, "error");
  const items = Array.isArray(output) ? (output as readonly JsonValue[]) : [];
  return {
    kind: "result",
    call,
    // What MCP servers give is a list below.
    content: contentParts(fieldAt(output, "content") ?? output),
    failed: textAt(inner, "error") !== undefined || items.some((item) => fieldAt(item, "success") === false),
  };
}
