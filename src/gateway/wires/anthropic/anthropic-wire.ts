import { known, unknown } from "../../../contract/absence.ts";
import type { Effort } from "../../../contract/contestant.ts";
import { fieldAt, listAt, numberAt, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import { effortBudget, effortNamed, effortOfBudget, nearestEffort } from "../effort-scale.ts";
import { withFields } from "../replace-fields.ts";
import type { GatewayErrorKind, Wire } from "../wire.ts";
import { createAnthropicMeter } from "./anthropic-meter.ts";

const levels: readonly Effort[] = ["none", "low", "medium", "high", "xhigh", "max"];

/** Fewest thinking tokens that the protocol takes. */
const leastBudget = 1024;

/** Anthropic Messages and its count of tokens. */
export const anthropicWire: Wire = {
  name: "anthropic-messages",
  authentication: "x-api-key",
  route(method, path) {
    if (method !== "POST") return undefined;
    if (path === "/v1/messages") return { kind: "answer", path };
    return path === "/v1/messages/count_tokens" ? { kind: "count", path } : undefined;
  },
  asked(body) {
    const model = textAt(body, "model") ?? "";
    const stream = fieldAt(body, "stream") === true;
    const effort = readEffort(body);
    const words = [fieldAt(body, "output_config"), fieldAt(body, "thinking")];
    const tools = listAt(body, "tools").map((tool) => textAt(tool, "name") ?? textAt(tool, "type") ?? "");
    return {
      model,
      stream,
      effort: effort === undefined ? unknown("the request does not say") : known(effort),
      effortWords: words.every((word) => word === undefined) ? null : words.map((word) => word ?? null),
      shape: { model, stream, turns: turns(body), tools: tools.sort() },
    };
  },
  withModel: (body, model) => withFields(body, { model }),
  withEffort(body, effort, model) {
    const level = nearestEffort(effort, model.efforts.length > 0 ? model.efforts : levels);
    if (level === "none") return withFields(body, { thinking: { type: "disabled" } });
    if (model.effort === "level") {
      return withFields(body, {
        output_config: withFields(fieldAt(body, "output_config"), { effort: level }),
      });
    }
    const room = (numberAt(body, "max_tokens") ?? Number.POSITIVE_INFINITY) - 1;
    const budget = Math.min(effortBudget(level), room);
    if (budget < leastBudget) return undefined;
    return withFields(body, { thinking: { type: "enabled", budget_tokens: budget } });
  },
  createMeter: createAnthropicMeter,
  error(kind, message) {
    const [status, type] = errors[kind];
    return { status, body: { type: "error", error: { type, message } } };
  },
};

const errors: Readonly<Record<GatewayErrorKind, readonly [number, string]>> = {
  unauthorised: [401, "authentication_error"],
  "unknown-model": [404, "not_found_error"],
  invalid: [400, "invalid_request_error"],
  limit: [402, "billing_error"],
  unavailable: [529, "overloaded_error"],
  diverged: [400, "invalid_request_error"],
};

function readEffort(body: JsonValue): Effort | undefined {
  const named = effortNamed(textAt(body, "output_config", "effort"));
  if (named !== undefined) return named;
  if (textAt(body, "thinking", "type") === "disabled") return "none";
  const budget = numberAt(body, "thinking", "budget_tokens");
  return budget === undefined ? undefined : effortOfBudget(budget);
}

/** A user's message that brings results of tools is the tools' turn. */
function turns(body: JsonValue): readonly string[] {
  return listAt(body, "messages").map((message) => {
    const blocks = listAt(message, "content");
    if (blocks.some((block) => textAt(block, "type") === "tool_result")) return "tool";
    return textAt(message, "role") ?? "";
  });
}
