import { fieldAt, listAt, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import type { ScriptToolResult } from "../script.ts";
import { pieces, type ScriptedAnswer, type ScriptWire, serverEvent, words } from "./script-wire.ts";

/** Anthropic Messages. */
export const anthropicScriptWire: ScriptWire = {
  name: "anthropic-messages",
  route(method, url) {
    if (method !== "POST") return undefined;
    if (url.pathname === "/v1/messages") return { kind: "answer" };
    return url.pathname === "/v1/messages/count_tokens" ? { kind: "count" } : undefined;
  },
  read(body) {
    const messages = listAt(body, "messages");
    const said = messages
      .filter((message) => textAt(message, "role") === "user")
      .map((message) => plainText(fieldAt(message, "content")))
      .filter((text) => text !== "");
    return {
      model: textAt(body, "model") ?? "",
      stream: fieldAt(body, "stream") === true,
      tools: listAt(body, "tools").map((tool) => ({
        name: textAt(tool, "name") ?? "",
        schema: fieldAt(tool, "input_schema") ?? {},
      })),
      results: messages.flatMap((message) => listAt(message, "content")).flatMap(readResult),
      prompt: said.at(-1) ?? "",
      said: said.join("\n"),
      tellUsage: true,
    };
  },
  whole(answer) {
    return {
      ...head(answer),
      content: blocks(answer),
      ...stop(answer),
      usage: usage(answer, answer.usage.output),
    };
  },
  events(answer) {
    const event = (type: string, data: { readonly [key: string]: JsonValue }): string =>
      serverEvent({ type, ...data }, type);
    const message = {
      ...head(answer),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usage(answer, 1),
    };
    return [
      event("message_start", { message }),
      ...blocks(answer).flatMap((block, index) => {
        const { start, deltas } = blockParts(block);
        return [
          event("content_block_start", { index, content_block: start }),
          ...deltas.map((delta) => event("content_block_delta", { index, delta })),
          event("content_block_stop", { index }),
        ];
      }),
      event("message_delta", { delta: stop(answer), usage: { output_tokens: answer.usage.output } }),
      event("message_stop", {}),
    ];
  },
  error(status, message) {
    return { type: "error", error: { type: errorTypes[status] ?? "api_error", message } };
  },
  count(tokens) {
    return { input_tokens: tokens };
  },
};

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function readResult(block: JsonValue): readonly ScriptToolResult[] {
  if (textAt(block, "type") !== "tool_result") return [];
  const content = fieldAt(block, "content");
  const images = listAt(content).filter((part) => textAt(part, "type") === "image").length;
  return [{ callId: textAt(block, "tool_use_id") ?? "", text: plainText(content), images }];
}

function plainText(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  return listAt(content)
    .flatMap((part) => (textAt(part, "type") === "text" ? [textAt(part, "text") ?? ""] : []))
    .join("\n");
}

function head(answer: ScriptedAnswer): { readonly [key: string]: JsonValue } {
  return { id: `msg_${answer.serial}`, type: "message", role: "assistant", model: answer.model };
}

function stop({ refused, toolCalls }: ScriptedAnswer): { readonly [key: string]: JsonValue } {
  const reason = refused ? "refusal" : toolCalls.length > 0 ? "tool_use" : "end_turn";
  return { stop_reason: reason, stop_sequence: null };
}

function usage({ usage }: ScriptedAnswer, output: number): JsonValue {
  return {
    input_tokens: usage.input - usage.cached - usage.cacheWrite,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cached,
    output_tokens: output,
  };
}

function blocks(answer: ScriptedAnswer): readonly { readonly [key: string]: JsonValue }[] {
  const { reasoning, text, toolCalls, serial } = answer;
  return [
    ...(reasoning === "" ? [] : [{ type: "thinking", thinking: reasoning, signature: "c2NyaXB0" }]),
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...toolCalls.map((call, index) => ({
      type: "tool_use",
      id: `toolu_${serial}_${index}`,
      name: call.name,
      input: call.arguments,
    })),
  ];
}

function blockParts(block: { readonly [key: string]: JsonValue }): {
  readonly start: JsonValue;
  readonly deltas: readonly JsonValue[];
} {
  if (block["type"] === "text") {
    const deltas = words(String(block["text"])).map((text) => ({ type: "text_delta", text }));
    return { start: { type: "text", text: "" }, deltas };
  }
  if (block["type"] === "thinking") {
    const thoughts = words(String(block["thinking"])).map((thinking) => ({
      type: "thinking_delta",
      thinking,
    }));
    const signature = { type: "signature_delta", signature: String(block["signature"]) };
    return { start: { type: "thinking", thinking: "", signature: "" }, deltas: [...thoughts, signature] };
  }
  const deltas = pieces(JSON.stringify(block["input"])).map((piece) => ({
    type: "input_json_delta",
    partial_json: piece,
  }));
  return { start: { ...block, input: {} }, deltas };
}
