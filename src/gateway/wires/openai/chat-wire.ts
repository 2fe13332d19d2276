import { known, unknown } from "../../../contract/absence.ts";
import { fieldAt, listAt, textAt } from "../../../contract/json-fields.ts";
import { effortNamed } from "../effort-scale.ts";
import { withFields } from "../replace-fields.ts";
import type { Wire } from "../wire.ts";
import { createChatMeter } from "./chat-meter.ts";
import { openaiEffort } from "./openai-effort.ts";
import { openaiError } from "./openai-errors.ts";

/** OpenAI Chat Completions, of OpenAI and of the many servers that speak it. */
export const chatWire: Wire = {
  name: "openai-chat",
  authentication: "bearer",
  route(method, path) {
    const isChat = method === "POST" && path === "/v1/chat/completions";
    return isChat ? { kind: "answer", path: "/chat/completions" } : undefined;
  },
  asked(body) {
    const model = textAt(body, "model") ?? "";
    const stream = fieldAt(body, "stream") === true;
    const words = fieldAt(body, "reasoning_effort") ?? fieldAt(body, "reasoning") ?? null;
    const effort = effortNamed(textAt(body, "reasoning_effort") ?? textAt(body, "reasoning", "effort"));
    const tools = listAt(body, "tools").map((tool) => textAt(tool, "function", "name") ?? "");
    const turns = listAt(body, "messages").map((message) => textAt(message, "role") ?? "");
    return {
      model,
      stream,
      effort: effort === undefined ? unknown("the request does not say") : known(effort),
      effortWords: words,
      shape: { model, stream, turns, tools: tools.sort() },
    };
  },
  withModel: (body, model) => withFields(body, { model }),
  withEffort: (body, effort, model) => withFields(body, { reasoning_effort: openaiEffort(effort, model) }),
  createMeter: createChatMeter,
  error: openaiError,
};
