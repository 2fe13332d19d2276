import type { Effort } from "../../contract/contestant.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { ModelSpec } from "../../contract/models-file.ts";
import { lacksUsage, withUsage } from "../wires/openai/chat-usage-filter.ts";
import type { AskedCall, Wire, WireRoute } from "../wires/wire.ts";

export interface PreparedBody {
  readonly body: Uint8Array;
  readonly sent: string;
  readonly effortSent: JsonValue;
  readonly hideUsage: boolean;
}

/** Changes a request only where it must be: the upstream's name for the model, an effort, the usage of a stream. */
export function prepareBody(
  wire: Wire,
  route: WireRoute,
  raw: Uint8Array,
  parsed: JsonValue,
  asked: AskedCall,
  model: ModelSpec,
  effort: Effort | undefined,
): PreparedBody {
  let body = parsed;
  const sent = model.id ?? asked.model;
  if (sent !== asked.model) body = wire.withModel(body, sent);
  const saysNone = asked.effortWords === null && model.effort !== "none" && route.kind === "answer";
  if (saysNone && effort !== undefined) body = wire.withEffort(body, effort, model) ?? body;
  const hideUsage = wire.name === "openai-chat" && lacksUsage(body);
  if (hideUsage) body = withUsage(body);
  return {
    body: body === parsed ? raw : Buffer.from(JSON.stringify(body)),
    sent,
    effortSent: body === parsed ? asked.effortWords : wire.asked(body, route).effortWords,
    hideUsage,
  };
}
