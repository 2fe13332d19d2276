import { fieldAt, listAt, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import { openaiError, partsImages, partsText } from "./openai-parts.ts";
import { pieces, type ScriptedAnswer, type ScriptWire, serverEvent, words } from "./script-wire.ts";

/** OpenAI Chat Completions. */
export const chatScriptWire: ScriptWire = {
  name: "openai-chat",
  route(method, url) {
    return method === "POST" && url.pathname === "/v1/chat/completions" ? { kind: "answer" } : undefined;
  },
  read(body) {
    const messages = listAt(body, "messages");
    const said = messages
      .filter((message) => textAt(message, "role") === "user")
      .map((message) => partsText(fieldAt(message, "content")));
    return {
      model: textAt(body, "model") ?? "",
      stream: fieldAt(body, "stream") === true,
      tools: listAt(body, "tools").map((tool) => ({
        name: textAt(tool, "function", "name") ?? textAt(tool, "name") ?? "",
        schema: fieldAt(tool, "function", "parameters") ?? {},
      })),
      results: messages
        .filter((message) => textAt(message, "role") === "tool")
        .map((message) => ({
          callId: textAt(message, "tool_call_id") ?? "",
          text: partsText(fieldAt(message, "content")),
          images: partsImages(fieldAt(message, "content")),
        })),
      prompt: said.at(-1) ?? "",
      said: said.join("\n"),
      tellUsage: fieldAt(body, "stream_options", "include_usage") === true,
    };
  },
  whole(answer) {
    const calls = toolCalls(answer);
    const message = {
      role: "assistant",
      content: answer.refused ? null : answer.text,
      refusal: answer.refused ? answer.text : null,
      ...(answer.reasoning === "" ? {} : { reasoning_content: answer.reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ index: _index, ...call }) => call) }),
    };
    const choice = { index: 0, message, logprobs: null, finish_reason: finish(answer) };
    return { ...head(answer, "chat.completion"), choices: [choice], usage: usage(answer) };
  },
  events(answer) {
    const chunk = (delta: JsonValue, finish_reason: string | null = null): string =>
      serverEvent({
        ...head(answer, "chat.completion.chunk"),
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
        ...(answer.tellUsage ? { usage: null } : {}),
      });
    const key = answer.refused ? "refusal" : "content";
    return [
      chunk({ role: "assistant", content: "" }),
      ...words(answer.reasoning).map((word) => chunk({ reasoning_content: word })),
      ...words(answer.text).map((word) => chunk({ [key]: word })),
      ...toolCalls(answer).flatMap((call) => [
        chunk({ tool_calls: [{ ...call, function: { name: call.function.name, arguments: "" } }] }),
        ...pieces(call.function.arguments).map((piece) =>
          chunk({ tool_calls: [{ index: call.index, function: { arguments: piece } }] }),
        ),
      ]),
      chunk({}, finish(answer)),
      ...(answer.tellUsage
        ? [serverEvent({ ...head(answer, "chat.completion.chunk"), choices: [], usage: usage(answer) })]
        : []),
      "data: [DONE]\n\n",
    ];
  },
  error: openaiError,
  count: (tokens) => ({ input_tokens: tokens }),
};

interface ChatToolCall {
  readonly index: number;
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

function head(answer: ScriptedAnswer, object: string): { readonly [key: string]: JsonValue } {
  return { id: `chatcmpl-${answer.serial}`, object, created: answer.created, model: answer.model };
}

function finish({ toolCalls: calls }: ScriptedAnswer): string {
  return calls.length > 0 ? "tool_calls" : "stop";
}

function toolCalls(answer: ScriptedAnswer): readonly ChatToolCall[] {
  return answer.toolCalls.map((call, index) => ({
    index,
    id: `call_${answer.serial}_${index}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
}

function usage({ usage }: ScriptedAnswer): JsonValue {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: usage.cacheWrite },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}
