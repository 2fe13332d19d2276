import { known, unknown } from "../../../contract/absence.ts";
import { fieldAt, listAt, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import { effortNamed } from "../effort-scale.ts";
import { withFields } from "../replace-fields.ts";
import type { Wire } from "../wire.ts";
import { openaiEffort } from "./openai-effort.ts";
import { openaiError } from "./openai-errors.ts";
import { createResponsesMeter } from "./responses-meter.ts";

/** OpenAI Responses. */
export const responsesWire: Wire = {
  name: "openai-responses",
  authentication: "bearer",
  route(method, path) {
    const isResponses = method === "POST" && path === "/v1/responses";
    return isResponses ? { kind: "answer", path: "/responses" } : undefined;
  },
  asked(body) {
    const model = textAt(body, "model") ?? "";
    const stream = fieldAt(body, "stream") === true;
    const effort = effortNamed(textAt(body, "reasoning", "effort"));
    const tools = listAt(body, "tools").flatMap((tool) => toolNames(tool));
    return {
      model,
      stream,
      effort: effort === undefined ? unknown("the request does not say") : known(effort),
      effortWords: fieldAt(body, "reasoning") ?? null,
      shape: { model, stream, turns: turns(body), tools: tools.sort() },
    };
  },
  withModel: (body, model) => withFields(body, { model }),
  withEffort(body, effort, model) {
    const reasoning = withFields(fieldAt(body, "reasoning"), { effort: openaiEffort(effort, model) });
    return withFields(body, { reasoning });
  },
  createMeter: createResponsesMeter,
  error: openaiError,
};

/** A namespace's tools are told apart by it. */
function toolNames(tool: JsonValue, space = ""): readonly string[] {
  const name = textAt(tool, "name") ?? textAt(tool, "type") ?? "";
  if (textAt(tool, "type") !== "namespace") return [`${space}${name}`];
  return listAt(tool, "tools").flatMap((inner) => toolNames(inner, `${name}.`));
}

function turns(body: JsonValue): readonly string[] {
  if (textAt(body, "input") !== undefined) return ["user"];
  return listAt(body, "input").map((item) => {
    const type = textAt(item, "type") ?? "message";
    if (type === "message") return textAt(item, "role") ?? "";
    return type.endsWith("_call_output") ? "tool" : type;
  });
}
