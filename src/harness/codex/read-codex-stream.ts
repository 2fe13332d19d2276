import { fieldAt, numberAt, objectAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { addUsage } from "../../contract/usage.ts";
import { claimedUsage, type UsageNames } from "../trajectory/claimed-usage.ts";
import { classifyFailure } from "../trajectory/classify-failure.ts";
import { contentParts } from "../trajectory/content-parts.ts";
import { createStreamReader } from "../trajectory/create-stream-reader.ts";
import type { DraftPart, StreamEvent } from "../trajectory/stream-event.ts";
import type { StreamEnding, StreamReader } from "../trajectory/stream-reader.ts";
import { noteSession, type StreamState } from "../trajectory/stream-state.ts";

const perTurn: UsageNames = {
  names: {
    input: ["input_tokens"],
    cached: ["cached_input_tokens"],
    cacheWrite: ["cache_write_input_tokens"],
    output: ["output_tokens"],
    reasoning: ["reasoning_output_tokens"],
  },
  inputIncludesCached: true,
};

/** `codex exec --json`. Its calls to the model are not counted in the stream: a turn stands for at least one. */
export function readCodexStream(): StreamReader {
  const begun = new Set<string>();

  function take(event: JsonValue, state: StreamState): readonly StreamEvent[] {
    const item = objectAt(event, "item");
    switch (textAt(event, "type")) {
      case "item.started":
      case "item.updated":
      case "item.completed":
        if (item === undefined) return [{ kind: "other", event }];
        if (textAt(item, "type") !== "error") delete state.trouble;
        return takeItem(event, item);
      case "thread.started":
        noteSession(state, textAt(event, "thread_id"));
        return [{ kind: "other", event }];
      case "turn.completed":
        state.usage = addUsage(state.usage, claimedUsage(fieldAt(event, "usage"), 1, perTurn));
        state.ending = { kind: "completed" };
        return [{ kind: "other", event }];
      case "turn.failed":
        state.ending = failure(textAt(event, "error", "message") ?? "the turn failed");
        return [{ kind: "other", event }];
      case "error":
        state.trouble = failure(textAt(event, "message") ?? "");
        return [{ kind: "other", event }];
      default:
        return [{ kind: "other", event }];
    }
  }

  function takeItem(event: JsonValue, item: { readonly [key: string]: JsonValue }): readonly StreamEvent[] {
    const completed = textAt(event, "type") === "item.completed";
    const text = textAt(item, "text");
    const type = textAt(item, "type");
    if (completed && text !== undefined && type === "agent_message") return [{ kind: "text", text }];
    if (completed && text !== undefined && type === "reasoning") return [{ kind: "reasoning", text }];
    const id = textAt(item, "id");
    const call = id === undefined ? undefined : callOf(item, id);
    if (id === undefined || call === undefined) return [{ kind: "other", event }];
    const told: StreamEvent[] = begun.has(id) ? [] : [call];
    if (!completed) {
      begun.add(id);
      return told;
    }
    begun.delete(id);
    return [...told, resultOf(item, id)];
  }

  return createStreamReader({ take });
}

function callOf(item: { readonly [key: string]: JsonValue }, id: string): StreamEvent | undefined {
  switch (textAt(item, "type")) {
    case "command_execution":
      return {
        kind: "call",
        id,
        name: "exec_command",
        arguments: { command: fieldAt(item, "command") ?? "" },
      };
    case "mcp_tool_call": {
      const name = `${textAt(item, "server") ?? ""}.${textAt(item, "tool") ?? ""}`;
      return { kind: "call", id, name, arguments: fieldAt(item, "arguments") ?? {} };
    }
    case "collab_tool_call":
      return {
        kind: "call",
        id,
        name: textAt(item, "tool") ?? "collab_tool_call",
        arguments: {
          prompt: fieldAt(item, "prompt") ?? null,
          threads: fieldAt(item, "receiver_thread_ids") ?? [],
        },
      };
    case "file_change":
      return {
        kind: "call",
        id,
        name: "file_change",
        arguments: { changes: fieldAt(item, "changes") ?? [] },
      };
    case "web_search":
      return { kind: "call", id, name: "web_search", arguments: { query: fieldAt(item, "query") ?? "" } };
    default:
      return undefined;
  }
}

function resultOf(item: { readonly [key: string]: JsonValue }, id: string): StreamEvent {
  const exitCode = numberAt(item, "exit_code");
  const problem = textAt(item, "error", "message") ?? textAt(item, "error");
  const shown = contentParts(
    fieldAt(item, "aggregated_output") ??
      fieldAt(item, "result", "content") ??
      // What sub-agents say is told nowhere else.
      fieldAt(item, "agents_states"),
  );
  const content: readonly DraftPart[] =
    problem === undefined ? shown : [...shown, { type: "text", text: problem }];
  return {
    kind: "result",
    call: id,
    content,
    failed: textAt(item, "status") === "failed" || problem !== undefined,
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}

function failure(message: string): Extract<StreamEnding, { readonly kind: "error" }> {
  return { kind: "error", error: classifyFailure(message), message };
}
