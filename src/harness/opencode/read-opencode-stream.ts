import { fieldAt, listAt, numberAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { addUsage } from "../../contract/usage.ts";
import { claimedUsage, type UsageNames } from "../trajectory/claimed-usage.ts";
import { classifyFailure } from "../trajectory/classify-failure.ts";
import { contentParts, imageOfDataUrl } from "../trajectory/content-parts.ts";
import { createStreamReader } from "../trajectory/create-stream-reader.ts";
import type { StreamEvent } from "../trajectory/stream-event.ts";
import type { StreamReader } from "../trajectory/stream-reader.ts";
import { noteSession, type StreamState } from "../trajectory/stream-state.ts";

const perStep: UsageNames = {
  names: {
    input: ["input"],
    cached: ["cache", "read"],
    cacheWrite: ["cache", "write"],
    output: ["output"],
    reasoning: ["reasoning"],
  },
  inputIncludesCached: false,
};

/**
 * `opencode run --format json`. Its usage leaves out the call that makes the session's title. It has no last event:
 * its leaving with 0 after a step that stopped is its end. A cost of 0 is of a model it has no price for.
 */
export function readOpencodeStream(): StreamReader {
  let lastReason: string | undefined;

  function takeFinish(
    event: JsonValue,
    state: StreamState,
    group: string | undefined,
  ): readonly StreamEvent[] {
    lastReason = textAt(event, "part", "reason");
    delete state.trouble;
    const told = claimedUsage(fieldAt(event, "part", "tokens"), 1, perStep);
    // Its output leaves out the reasoning.
    const usage = { ...told, output: told.output + told.reasoning };
    state.usage = addUsage(state.usage, usage);
    const cost = numberAt(event, "part", "cost");
    if (cost !== undefined && cost > 0) state.costUsd = (state.costUsd ?? 0) + cost;
    const metrics = {
      prompt_tokens: usage.input,
      cached_tokens: usage.cached,
      completion_tokens: usage.output,
      ...(cost !== undefined && cost > 0 ? { cost_usd: cost } : {}),
    };
    return [{ kind: "metrics", metrics, ...(group === undefined ? {} : { group }) }];
  }

  function take(event: JsonValue, state: StreamState): readonly StreamEvent[] {
    noteSession(state, textAt(event, "sessionID"));
    const group = textAt(event, "part", "messageID");
    const place = group === undefined ? {} : { group };
    const text = textAt(event, "part", "text");
    switch (textAt(event, "type")) {
      case "step_start":
        lastReason = undefined;
        return [];
      case "text":
        return text === undefined ? [{ kind: "other", event }] : [{ kind: "text", text, ...place }];
      case "reasoning":
        return text === undefined ? [{ kind: "other", event }] : [{ kind: "reasoning", text, ...place }];
      case "tool_use": {
        const id = textAt(event, "part", "callID");
        if (id === undefined) return [{ kind: "other", event }];
        const name = textAt(event, "part", "tool") ?? "";
        const input = fieldAt(event, "part", "state", "input") ?? {};
        return [{ kind: "call", id, name, arguments: input, ...place }, resultOf(event, id)];
      }
      case "step_finish":
        return takeFinish(event, state, group);
      case "error": {
        const message = textAt(event, "error", "data", "message") ?? textAt(event, "error", "name") ?? "";
        const status = numberAt(event, "error", "data", "statusCode");
        state.trouble = { kind: "error", error: classifyFailure(message, status), message };
        return [{ kind: "other", event }];
      }
      default:
        return [{ kind: "other", event }];
    }
  }

  return createStreamReader({ take, silentEnd: () => lastReason === "stop" });
}

function resultOf(event: JsonValue, call: string): StreamEvent {
  const images = listAt(event, "part", "state", "attachments").flatMap((item) => {
    const image = imageOfDataUrl(textAt(item, "url") ?? "");
    return image === undefined ? [] : [image];
  });
  const output = fieldAt(event, "part", "state", "output") ?? fieldAt(event, "part", "state", "error");
  const exitCode = numberAt(event, "part", "state", "metadata", "exit");
  return {
    kind: "result",
    call,
    content: [...contentParts(output), ...images],
    failed: textAt(event, "part", "state", "status") === "error",
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}
