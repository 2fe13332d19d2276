import { fieldAt, numberAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { contentParts } from "../trajectory/content-parts.ts";
import { createStreamReader } from "../trajectory/create-stream-reader.ts";
import type { StreamEvent } from "../trajectory/stream-event.ts";
import type { StreamReader } from "../trajectory/stream-reader.ts";
import { noteSession, type StreamState } from "../trajectory/stream-state.ts";
import { piFailure, readPiMessage } from "./read-pi-message.ts";

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

/** pi's `--mode json`, of 0.73 and 1.6. It exits with 0 after a failure: the last message's stop reason decides. */
export function readPiStream(): StreamReader {
  let messages = 0;

  function takeMessage(event: JsonValue, state: StreamState): readonly StreamEvent[] {
    const message = fieldAt(event, "message");
    switch (textAt(message, "role")) {
      case "assistant":
        messages += 1;
        return readPiMessage(message, `message ${messages}`, state);
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
      state.trouble = piFailure(textAt(event, "errorMessage") ?? "");
    }
    if (type === "auto_retry_end" && fieldAt(event, "success") === true) delete state.trouble;
    return [{ kind: "other", event }];
  }

  // 0.73 repeats the whole message in every update; they are the bulk of its output and are not even parsed.
  return createStreamReader({ take, skips: (line) => line.startsWith('{"type":"message_update"') });
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
