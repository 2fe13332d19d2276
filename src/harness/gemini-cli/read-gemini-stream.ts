import { fieldAt, numberAt, objectAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { Usage } from "../../contract/usage.ts";
import { claimedUsage, type UsageNames } from "../trajectory/claimed-usage.ts";
import { classifyFailure } from "../trajectory/classify-failure.ts";
import { contentParts } from "../trajectory/content-parts.ts";
import { createStreamReader } from "../trajectory/create-stream-reader.ts";
import type { StreamEvent } from "../trajectory/stream-event.ts";
import type { StreamReader } from "../trajectory/stream-reader.ts";
import { noteSession, type StreamState } from "../trajectory/stream-state.ts";

const totals: UsageNames = {
  names: { input: ["input_tokens"], cached: ["cached"], output: ["output_tokens"] },
  inputIncludesCached: true,
};

/** Gemini CLI's `--output-format stream-json`. Images of tools are only named in it, so they are counted. */
export function readGeminiStream(): StreamReader {
  let answers = 0;
  let answering = false;
  let lastError: string | undefined;

  /** A call to the model is seen from outside only as something said or asked after something else. */
  function answer(): void {
    if (!answering) answers += 1;
    answering = true;
  }

  function takeMessage(event: JsonValue): readonly StreamEvent[] {
    const text = textAt(event, "content");
    if (text === undefined) return [{ kind: "other", event }];
    if (textAt(event, "role") === "assistant") {
      answer();
      return [{ kind: "text", text, ...(fieldAt(event, "delta") === true ? { delta: true } : {}) }];
    }
    answering = false;
    return [{ kind: "message", source: "user", content: [{ type: "text", text }] }];
  }

  function takeEnd(event: JsonValue, state: StreamState): void {
    for (const name of Object.keys(objectAt(event, "stats", "models") ?? {})) state.models.add(name);
    if (objectAt(event, "stats") !== undefined) {
      state.usage = withThoughts(claimedUsage(fieldAt(event, "stats"), answers, totals), event);
    }
    if (textAt(event, "status") === "success") {
      state.ending = { kind: "completed" };
      return;
    }
    const message = textAt(event, "error", "message") ?? lastError ?? "it reports an error";
    const words = `${textAt(event, "error", "type") ?? ""} ${message}`;
    state.ending = { kind: "error", error: classifyFailure(words), message };
  }

  function take(event: JsonValue, state: StreamState): readonly StreamEvent[] {
    const id = textAt(event, "tool_id");
    switch (textAt(event, "type")) {
      case "init": {
        noteSession(state, textAt(event, "session_id"));
        const model = textAt(event, "model");
        if (model !== undefined) state.models.add(model);
        return [{ kind: "other", event }];
      }
      case "message":
        return takeMessage(event);
      case "tool_use": {
        if (id === undefined) return [{ kind: "other", event }];
        answer();
        const name = textAt(event, "tool_name") ?? "";
        return [{ kind: "call", id, name, arguments: fieldAt(event, "parameters") ?? {} }];
      }
      case "tool_result":
        answering = false;
        return id === undefined ? [{ kind: "other", event }] : [resultOf(event, id)];
      case "error":
        if (textAt(event, "severity") === "error") lastError = textAt(event, "message");
        return [{ kind: "other", event }];
      case "result":
        takeEnd(event, state);
        return [{ kind: "other", event }];
      default:
        return [{ kind: "other", event }];
    }
  }

  return createStreamReader({ take });
}

/** Its output leaves the thoughts out, which only the sum of all tokens tells. */
function withThoughts(usage: Usage, event: JsonValue): Usage {
  const reasoning = (numberAt(event, "stats", "total_tokens") ?? 0) - usage.input - usage.output;
  if (!Number.isSafeInteger(reasoning) || reasoning <= 0) return usage;
  return { ...usage, output: usage.output + reasoning, reasoning };
}

function resultOf(event: JsonValue, call: string): StreamEvent {
  const output = fieldAt(event, "output") ?? fieldAt(event, "error", "message") ?? "";
  const named = typeof output === "string" ? (output.match(/\[Image: image\/[\w.+-]+\]/g)?.length ?? 0) : 0;
  return {
    kind: "result",
    call,
    content: contentParts(output),
    failed: textAt(event, "status") !== "success",
    ...(named === 0 ? {} : { imagesLeftOut: named }),
  };
}
