import { known, unknown } from "../../../contract/absence.ts";
import type { Effort } from "../../../contract/contestant.ts";
import { fieldAt, listAt, numberAt, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import { effortBudget, effortNamed, effortOfBudget, nearestEffort } from "../effort-scale.ts";
import { withFields } from "../replace-fields.ts";
import type { GatewayErrorKind, Wire } from "../wire.ts";
import { createGeminiMeter } from "./gemini-meter.ts";

const pathPattern = /^\/(v1(?:beta)?)\/models\/(.+):(generateContent|streamGenerateContent|countTokens)$/;
const levels: readonly Effort[] = ["minimal", "low", "medium", "high"];

/** Gemini generateContent, streamGenerateContent and countTokens. */
export const geminiWire: Wire = {
  name: "gemini",
  authentication: "x-goog-api-key",
  route(method, path) {
    const [, version, escaped = "", verb] = pathPattern.exec(path) ?? [];
    const model = decoded(escaped);
    if (method !== "POST" || model === undefined || model === "") return undefined;
    return {
      kind: verb === "countTokens" ? "count" : "answer",
      path: `/${version}/models/{model}:${verb}`,
      model,
      stream: verb === "streamGenerateContent",
    };
  },
  asked(body, route) {
    const model = route.model ?? "";
    const stream = route.stream ?? false;
    const thinking = fieldAt(body, "generationConfig", "thinkingConfig");
    const effort = readEffort(thinking);
    const tools = listAt(body, "tools")
      .flatMap((tool) => listAt(tool, "functionDeclarations"))
      .map((tool) => textAt(tool, "name") ?? "");
    return {
      model,
      stream,
      effort: effort === undefined ? unknown("the request does not say") : known(effort),
      effortWords: thinking ?? null,
      shape: { model, stream, turns: turns(body), tools: tools.sort() },
    };
  },
  // The model stands in the path.
  withModel: (body) => body,
  withEffort(body, effort, model) {
    const config = fieldAt(body, "generationConfig");
    const thinking = fieldAt(config, "thinkingConfig");
    const said =
      model.effort === "budget"
        ? { thinkingBudget: effortBudget(effort) }
        : { thinkingLevel: nearestEffort(effort, model.efforts.length > 0 ? model.efforts : levels) };
    const generationConfig = withFields(config, { thinkingConfig: withFields(thinking, said) });
    return withFields(body, { generationConfig });
  },
  createMeter: createGeminiMeter,
  error(kind, message) {
    const [status, name] = errors[kind];
    return { status, body: { error: { code: status, message, status: name } } };
  },
};

const errors: Readonly<Record<GatewayErrorKind, readonly [number, string]>> = {
  unauthorised: [401, "UNAUTHENTICATED"],
  "unknown-model": [404, "NOT_FOUND"],
  invalid: [400, "INVALID_ARGUMENT"],
  limit: [429, "RESOURCE_EXHAUSTED"],
  unavailable: [503, "UNAVAILABLE"],
  diverged: [400, "FAILED_PRECONDITION"],
};

/** `undefined` for what is escaped wrongly. */
function decoded(escaped: string): string | undefined {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return undefined;
  }
}

function readEffort(thinking: JsonValue | undefined): Effort | undefined {
  const named = effortNamed(textAt(thinking, "thinkingLevel"));
  const budget = numberAt(thinking, "thinkingBudget");
  // -1 leaves the amount to the model.
  if (named !== undefined || budget === undefined || budget < 0) return named;
  return effortOfBudget(budget);
}

function turns(body: JsonValue): readonly string[] {
  return listAt(body, "contents").map((content) => {
    const parts = listAt(content, "parts");
    if (parts.some((part) => fieldAt(part, "functionResponse") !== undefined)) return "tool";
    return textAt(content, "role") === "model" ? "assistant" : "user";
  });
}
