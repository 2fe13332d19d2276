import { fieldAt, listAt, numberAt, objectAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { addUsage } from "../../contract/usage.ts";
import { claimedUsage, type UsageNames } from "../trajectory/claimed-usage.ts";
import { classifyFailure } from "../trajectory/classify-failure.ts";
import { contentParts } from "../trajectory/content-parts.ts";
import { createStreamReader } from "../trajectory/create-stream-reader.ts";
import type { StreamEvent } from "../trajectory/stream-event.ts";
import type { StreamEnding, StreamReader } from "../trajectory/stream-reader.ts";
import { noteSession, type StreamDialect, type StreamState } from "../trajectory/stream-state.ts";

const perModel: UsageNames = {
  names: {
    input: ["inputTokens"],
    cached: ["cacheReadInputTokens"],
    cacheWrite: ["cacheCreationInputTokens"],
    output: ["outputTokens"],
    reasoning: ["thinkingTokens"],
  },
  inputIncludesCached: false,
};

/** How the programs that speak this format differ. */
export interface ClaudeFormat {
  /** Whether `input_tokens` counts the cached ones too. */
  readonly inputIncludesCached: boolean;
  /** Whether the events of one call to the model share their message's id; otherwise a turn is one call. */
  readonly sharedIds: boolean;
  /** Member of the first event that tells the program's version. */
  readonly versionField: string;
  /** What stands in a tool's result for a picture that is left out; absent where they are kept. */
  readonly pictureMark?: RegExp;
}

/** Claude Code's `--output-format stream-json --verbose`. */
export function readClaudeStream(): StreamReader {
  return createStreamReader(
    claudeDialect({ inputIncludesCached: false, sharedIds: true, versionField: "claude_code_version" }),
  );
}

export function claudeDialect(format: ClaudeFormat): StreamDialect {
  let turn = 0;
  let calls = 0;
  let lastCounted = "";
  const total: UsageNames = {
    names: {
      input: ["input_tokens"],
      cached: ["cache_read_input_tokens"],
      cacheWrite: ["cache_creation_input_tokens"],
      output: ["output_tokens"],
      reasoning: ["output_tokens_details", "thinking_tokens"],
    },
    inputIncludesCached: format.inputIncludesCached,
  };

  function takeAssistant(event: JsonValue, state: StreamState): readonly StreamEvent[] {
    const id = textAt(event, "message", "id");
    const model = textAt(event, "message", "model");
    const subagent = textAt(event, "parent_tool_use_id");
    const group = `${subagent ?? ""}/${format.sharedIds && id !== undefined ? id : `turn ${turn}`}`;
    const synthetic = model === "<synthetic>";
    const place = {
      group,
      ...(model === undefined || synthetic ? {} : { model }),
      ...(subagent === undefined ? {} : { subagent }),
    };
    if (synthetic && textAt(event, "error") !== undefined) {
      const message = listAt(event, "message", "content")
        .map((block) => textAt(block, "text") ?? "")
        .join("\n");
      state.trouble = failure(message, numberAt(event, "api_error_status"));
    } else if (!synthetic) delete state.trouble;
    const told = listAt(event, "message", "content").map((block): StreamEvent => {
      const text = textAt(block, "text");
      if (textAt(block, "type") === "text" && text !== undefined) return { kind: "text", text, ...place };
      const thinking = textAt(block, "thinking");
      if (thinking !== undefined) return { kind: "reasoning", text: thinking, ...place };
      const call = textAt(block, "id");
      if (textAt(block, "type") === "tool_use" && call !== undefined) {
        const name = textAt(block, "name") ?? "";
        return { kind: "call", id: call, name, arguments: fieldAt(block, "input") ?? {}, ...place };
      }
      return { kind: "other", event: block };
    });
    const usage = claimedUsage(fieldAt(event, "message", "usage"), 1, total);
    const counted = synthetic || group === lastCounted || usage.input === 0;
    if (counted) return told;
    calls += 1;
    lastCounted = group;
    // With shared ids, the count of output tokens is a placeholder from the start of the message.
    const completion = format.sharedIds ? {} : { completion_tokens: usage.output };
    const metrics = { prompt_tokens: usage.input, cached_tokens: usage.cached, ...completion };
    return [...told, { kind: "metrics", metrics, ...place }];
  }

  function takeResult(event: JsonValue, state: StreamState): void {
    const models = Object.entries(objectAt(event, "modelUsage") ?? {});
    for (const [name] of models) state.models.add(name);
    // After a budget stop the total is zero and only the figures per model are right.
    state.usage =
      models.length === 0
        ? claimedUsage(fieldAt(event, "usage"), calls, total)
        : models
            .map(([, usage]) => claimedUsage(usage, 0, perModel))
            .reduce(addUsage, { ...claimedUsage({}, calls, perModel) });
    const cost = numberAt(event, "total_cost_usd");
    if (cost !== undefined && cost >= 0) state.costUsd = cost;
    state.ending = endingOf(event);
    const final = textAt(event, "result");
    if (final !== undefined && state.ending.kind === "completed") state.finalMessage = final;
  }

  return {
    take(event, state) {
      noteSession(state, textAt(event, "session_id"));
      switch (textAt(event, "type")) {
        case "assistant":
          return takeAssistant(event, state);
        case "user":
          turn += 1;
          return takeUser(event, format.pictureMark);
        case "result":
          takeResult(event, state);
          return [{ kind: "other", event }];
        case "system": {
          const version = textAt(event, format.versionField);
          if (version !== undefined) state.version = version;
          const model = textAt(event, "model");
          if (model !== undefined) state.models.add(model);
          if (textAt(event, "subtype") === "api_retry") {
            state.trouble = failure(textAt(event, "error") ?? "", numberAt(event, "error_status"));
          }
          return [{ kind: "other", event }];
        }
        default:
          return [{ kind: "other", event }];
      }
    },
  };
}

function takeUser(event: JsonValue, pictureMark: RegExp | undefined): readonly StreamEvent[] {
  const content = fieldAt(event, "message", "content");
  const results = listAt(content).filter((block) => textAt(block, "type") === "tool_result");
  if (results.length === 0) {
    // What a sub-agent is told stands in the call that started it.
    if (textAt(event, "parent_tool_use_id") !== undefined) return [{ kind: "other", event }];
    return [{ kind: "message", source: "user", content: contentParts(content) }];
  }
  return listAt(content).map((block): StreamEvent => {
    const call = textAt(block, "tool_use_id");
    if (call === undefined) return { kind: "other", event: block };
    const failed = fieldAt(block, "is_error");
    const parts = contentParts(fieldAt(block, "content"));
    const leftOut = parts.reduce(
      (sum, part) => sum + (part.type === "text" ? marksIn(part.text, pictureMark) : 0),
      0,
    );
    return {
      kind: "result",
      call,
      content: parts,
      ...(typeof failed === "boolean" ? { failed } : {}),
      ...(leftOut === 0 ? {} : { imagesLeftOut: leftOut }),
    };
  });
}

function marksIn(text: string, mark: RegExp | undefined): number {
  return mark === undefined ? 0 : (text.match(mark)?.length ?? 0);
}

/** The subtype alone is no evidence: after an API failure it is `success`. */
function endingOf(event: JsonValue): StreamEnding {
  const reason = textAt(event, "terminal_reason") ?? "";
  const subtype = textAt(event, "subtype") ?? "";
  const words = [
    ...listAt(event, "errors").filter((item) => typeof item === "string"),
    textAt(event, "error", "message") ?? "",
    textAt(event, "result") ?? "",
  ];
  const message = words.filter((word) => word !== "").join("; ") || reason || subtype;
  if (textAt(event, "stop_reason") === "refusal") return { kind: "error", error: "refusal", message };
  if (reason === "max_turns" || subtype === "error_max_turns")
    return { kind: "error", error: "turn-limit", message };
  if (reason === "budget_exhausted" || subtype === "error_max_budget_usd") {
    return { kind: "error", error: "budget", message };
  }
  if (fieldAt(event, "is_error") === true || reason === "api_error" || subtype.startsWith("error")) {
    return failure(message, numberAt(event, "api_error_status"));
  }
  return { kind: "completed" };
}

function failure(message: string, status?: number): Extract<StreamEnding, { readonly kind: "error" }> {
  return { kind: "error", error: classifyFailure(message, status), message };
}
