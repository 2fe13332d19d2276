import { fieldAt, listAt, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import type { ScriptTool, ScriptToolResult } from "../script.ts";
import { openaiError, partsImages, partsText } from "./openai-parts.ts";
import { pieces, type ScriptedAnswer, type ScriptWire, serverEvent, words } from "./script-wire.ts";

type Item = { readonly [key: string]: JsonValue };

/** OpenAI Responses, with tools in namespaces. */
export const responsesScriptWire: ScriptWire = {
  name: "openai-responses",
  route(method, url) {
    return method === "POST" && url.pathname === "/v1/responses" ? { kind: "answer" } : undefined;
  },
  read(body) {
    const input = listAt(body, "input");
    const plain = textAt(body, "input");
    const users = input.filter((item) => textAt(item, "role") === "user");
    const said = plain === undefined ? users.map((item) => partsText(fieldAt(item, "content"))) : [plain];
    return {
      model: textAt(body, "model") ?? "",
      stream: fieldAt(body, "stream") === true,
      tools: listAt(body, "tools").flatMap((tool) => readTool(tool)),
      results: input.flatMap(readResult),
      prompt: said.at(-1) ?? "",
      said: said.join("\n"),
      tellUsage: true,
    };
  },
  whole(answer) {
    return response(answer, "completed");
  },
  events(answer) {
    let sequence = 0;
    const event = (type: string, data: Item): string =>
      serverEvent({ type, sequence_number: sequence++, ...data }, type);
    return [
      event("response.created", { response: response(answer, "in_progress") }),
      event("response.in_progress", { response: response(answer, "in_progress") }),
      ...items(answer).flatMap((item, output_index) => itemEvents(item, output_index, event)),
      event("response.completed", { response: response(answer, "completed") }),
    ];
  },
  error: openaiError,
  count: (tokens) => ({ input_tokens: tokens }),
};

function readTool(tool: JsonValue, namespace?: string): readonly ScriptTool[] {
  const name = textAt(tool, "name") ?? textAt(tool, "type") ?? "";
  if (textAt(tool, "type") === "namespace") {
    return listAt(tool, "tools").flatMap((inner) => readTool(inner, name));
  }
  const schema = fieldAt(tool, "parameters") ?? {};
  return [{ name, schema, ...(namespace === undefined ? {} : { namespace }) }];
}

function readResult(item: JsonValue): readonly ScriptToolResult[] {
  if (!(textAt(item, "type") ?? "").endsWith("_call_output")) return [];
  const output = fieldAt(item, "output");
  return [{ callId: textAt(item, "call_id") ?? "", text: partsText(output), images: partsImages(output) }];
}

function items(answer: ScriptedAnswer): readonly Item[] {
  const { serial, text, reasoning, refused } = answer;
  const content: Item = refused
    ? { type: "refusal", refusal: text }
    : { type: "output_text", text, annotations: [], logprobs: [] };
  return [
    ...(reasoning === ""
      ? []
      : [{ type: "reasoning", id: `rs_${serial}`, summary: [{ type: "summary_text", text: reasoning }] }]),
    ...(text === ""
      ? []
      : [
          {
            type: "message",
            id: `msg_${serial}`,
            role: "assistant",
            status: "completed",
            content: [content],
          },
        ]),
    ...answer.toolCalls.map((call, index) => ({
      type: "function_call",
      id: `fc_${serial}_${index}`,
      call_id: `call_${serial}_${index}`,
      name: call.name,
      ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
      arguments: JSON.stringify(call.arguments),
      status: "completed",
    })),
  ];
}

function response(answer: ScriptedAnswer, status: "in_progress" | "completed"): Item {
  const { usage } = answer;
  const over = status === "completed";
  return {
    id: `resp_${answer.serial}`,
    object: "response",
    created_at: answer.created,
    status,
    model: answer.model,
    output: over ? items(answer) : [],
    usage: over
      ? {
          input_tokens: usage.input,
          input_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: usage.cacheWrite },
          output_tokens: usage.output,
          output_tokens_details: { reasoning_tokens: usage.reasoning },
          total_tokens: usage.input + usage.output,
        }
      : null,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: false,
    tool_choice: "auto",
    tools: [],
  };
}

function itemEvents(
  item: Item,
  output_index: number,
  event: (type: string, data: Item) => string,
): readonly string[] {
  const item_id = textAt(item, "id") ?? "";
  const at = { item_id, output_index };
  const done = (): string => event("response.output_item.done", { output_index, item });
  if (item["type"] === "message") {
    const part = fieldAt(item, "content", 0) ?? null;
    const kind = textAt(part, "type") === "refusal" ? "refusal" : "output_text";
    const key = kind === "refusal" ? "refusal" : "text";
    const text = textAt(part, key) ?? "";
    const inside = { ...at, content_index: 0 };
    return [
      event("response.output_item.added", {
        output_index,
        item: { ...item, status: "in_progress", content: [] },
      }),
      event("response.content_part.added", { ...inside, part: { ...(part as Item), [key]: "" } }),
      ...words(text).map((delta) => event(`response.${kind}.delta`, { ...inside, delta })),
      event(`response.${kind}.done`, { ...inside, [key]: text }),
      event("response.content_part.done", { ...inside, part }),
      done(),
    ];
  }
  if (item["type"] !== "function_call") {
    return [event("response.output_item.added", { output_index, item }), done()];
  }
  const given = textAt(item, "arguments") ?? "";
  return [
    event("response.output_item.added", {
      output_index,
      item: { ...item, arguments: "", status: "in_progress" },
    }),
    ...pieces(given).map((delta) => event("response.function_call_arguments.delta", { ...at, delta })),
    event("response.function_call_arguments.done", { ...at, arguments: given }),
    done(),
  ];
}
