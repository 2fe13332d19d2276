import { fieldAt, listAt, numberAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { classifyFailure } from "../trajectory/classify-failure.ts";
import { contentParts } from "../trajectory/content-parts.ts";
import { createStreamReader } from "../trajectory/create-stream-reader.ts";
import type { StreamEvent } from "../trajectory/stream-event.ts";
import type { StreamReader } from "../trajectory/stream-reader.ts";
import { noteSession, type StreamState } from "../trajectory/stream-state.ts";

/** Said again, whole, by later events, or without content. */
const repeated = new Set([
  "assistant.message_start",
  "assistant.message_delta",
  "assistant.tool_call_delta",
  "assistant.turn_start",
  "assistant.turn_end",
  "session.background_tasks_changed",
  "tool.execution_partial_result",
  "tool.execution_start",
  "tool.shell_output",
]);

/** `copilot --output-format json`. It tells no tokens. */
export function readCopilotStream(): StreamReader {
  let aborted = false;

  function takeMessage(data: JsonValue | undefined, event: JsonValue): readonly StreamEvent[] {
    const id = textAt(data, "messageId");
    const model = textAt(data, "model");
    const place = { ...(id === undefined ? {} : { group: id }), ...(model === undefined ? {} : { model }) };
    const reasoning = textAt(data, "reasoningText");
    const told: StreamEvent[] = [
      ...(reasoning === undefined ? [] : [{ kind: "reasoning" as const, text: reasoning, ...place }]),
      { kind: "text", text: textAt(data, "content") ?? "", ...place },
      ...listAt(data, "toolRequests").flatMap((request): readonly StreamEvent[] => {
        const call = textAt(request, "toolCallId");
        if (call === undefined) return [{ kind: "other", event }];
        const name = textAt(request, "name") ?? "";
        return [{ kind: "call", id: call, name, arguments: fieldAt(request, "arguments") ?? {}, ...place }];
      }),
    ];
    return told;
  }

  function take(event: JsonValue, state: StreamState): readonly StreamEvent[] {
    const type = textAt(event, "type") ?? "";
    const data = fieldAt(event, "data");
    if (repeated.has(type)) return [];
    const call = textAt(data, "toolCallId");
    switch (type) {
      case "user.message": {
        const content = contentParts(fieldAt(data, "content"));
        return [{ kind: "message", source: "user", content }];
      }
      case "assistant.message":
        return takeMessage(data, event);
      case "tool.execution_complete":
        return call === undefined ? [{ kind: "other", event }] : [resultOf(data, call)];
      case "model.call_finished":
        if (textAt(data, "outcome") === "success") delete state.trouble;
        return [{ kind: "other", event }];
      case "abort":
        aborted = true;
        return [{ kind: "other", event }];
      case "session.error":
      case "error": {
        const message = textAt(data, "message") ?? textAt(event, "message") ?? "";
        const status = numberAt(data, "statusCode");
        state.trouble = { kind: "error", error: classifyFailure(message, status), message };
        return [{ kind: "other", event }];
      }
      case "result": {
        noteSession(state, textAt(event, "sessionId"));
        const code = numberAt(event, "exitCode");
        const failed = { kind: "error", error: "other", message: `it reports exit code ${code}` } as const;
        // Once aborted it may yet report a code of 0; why it was is for whoever did it to say.
        if (aborted) return [{ kind: "other", event }];
        state.ending = code === 0 ? { kind: "completed" } : (state.trouble ?? failed);
        return [{ kind: "other", event }];
      }
      default:
        return [{ kind: "other", event }];
    }
  }

  return createStreamReader({ take });
}

function resultOf(data: JsonValue | undefined, call: string): StreamEvent {
  const exitCode = numberAt(data, "shellExecution", "exitCode");
  // What MCP servers give is a list; the text alone stands beside it.
  const parts = fieldAt(data, "result", "contents") ?? fieldAt(data, "result", "content");
  const output = parts ?? fieldAt(data, "error", "message");
  return {
    kind: "result",
    call,
    content: contentParts(output),
    failed: fieldAt(data, "success") !== true,
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}
