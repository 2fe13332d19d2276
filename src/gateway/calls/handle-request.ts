import type { IncomingMessage, ServerResponse } from "node:http";
import { isDeeplyNested } from "../../contract/is-deeply-nested.ts";
import { parseJson } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { anthropicWire } from "../wires/anthropic/anthropic-wire.ts";
import { geminiWire } from "../wires/gemini/gemini-wire.ts";
import { chatWire } from "../wires/openai/chat-wire.ts";
import { responsesWire } from "../wires/openai/responses-wire.ts";
import type { Wire } from "../wires/wire.ts";
import type { CallContext, ReadCall } from "./call-context.ts";
import { conductCall } from "./conduct-call.ts";
import { prepareBody } from "./prepare-body.ts";
import { readRequest } from "./read-request.ts";
import { type Rejection, rejectCall } from "./reject-call.ts";
import { sendError } from "./send-error.ts";
import type { TrialSession } from "./trial-session.ts";
import { upstreamHeaders } from "./upstream-headers.ts";

export const wires: readonly Wire[] = [anthropicWire, chatWire, responsesWire, geminiWire];

/** One request to the gateway, whatever it is. `trial` is absent for tokens that never were or are no more. */
export async function handleRequest(
  context: CallContext,
  trial: TrialSession | undefined,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? "GET";
  for (const wire of wires) {
    const route = wire.route(method, url.pathname);
    if (route === undefined) continue;
    if (trial === undefined) {
      return sendError(
        response,
        wire.error("unauthorised", "this token is not, or no longer, of an open trial"),
      );
    }
    const left = new AbortController();
    response.on("close", () => {
      if (!response.writableFinished) left.abort(new DOMException("the client left", "AbortError"));
    });
    using body = await readRequest(request, trial.held);
    const { raw = new Uint8Array() } = body;
    const arrived = { trial, wire, route, url, request, raw, left: left.signal };
    const call = body.raw === undefined ? tooLarge : readCall(context, arrived);
    if (!("reason" in call)) return await conductCall(context, call, response);
    if (call === tooLarge) {
      request.resume();
      response.setHeader("connection", "close");
    }
    return rejectCall(context.clock, arrived, raw, call, response);
  }
  const isList = method === "GET" && /^\/v1(?:beta)?\/models\/?$/.test(url.pathname);
  if (isList && trial !== undefined) return sendList(response, Object.keys(context.models.models));
  sendError(response, anthropicWire.error("unknown-model", `nothing is at ${method} ${url.pathname}`));
}

interface Arrived extends Pick<ReadCall, "trial" | "wire" | "route" | "url" | "left"> {
  readonly request: IncomingMessage;
  readonly raw: Uint8Array;
}

const tooLarge: Rejection = {
  kind: "invalid",
  reason: "the request is too large, alone or with the others that are under way",
  asked: undefined,
};

/** The call, or why it cannot be made. */
function readCall(
  { models, keys }: CallContext,
  { trial, wire, route, url, left, request, raw }: Arrived,
): ReadCall | Rejection {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString("utf8");
  if (isDeeplyNested(text))
    return { kind: "invalid", reason: "the body is nested too deep", asked: undefined };
  const parsed = parseJson(text);
  if (parsed === undefined) return { kind: "invalid", reason: "the body is not JSON", asked: undefined };
  const asked = wire.asked(parsed, route);
  const model = models.models[asked.model];
  const upstream = model === undefined ? undefined : models.upstreams[model.upstream];
  if (model === undefined || upstream === undefined) {
    return { kind: "unknown-model", reason: `the model ${asked.model} is not in models.yaml`, asked };
  }
  if (!upstream.wires.includes(wire.name)) {
    const reason = `${model.upstream} does not speak ${wire.name}; it speaks ${upstream.wires.join(", ")}`;
    return { kind: "invalid", reason, asked };
  }
  const key = upstream.key_env === undefined ? undefined : keys[upstream.key_env];
  const prepared = prepareBody(wire, route, raw, parsed, asked, model, trial.contestant.effort);
  const headers = upstreamHeaders(request.headers, wire, upstream, key);
  const upstreamName = model.upstream;
  return { trial, wire, route, url, headers, asked, model, upstreamName, upstream, ...prepared, left };
}

/** A list that the clients of every wire can read. */
function sendList(response: ServerResponse, names: readonly string[]): void {
  const body: JsonValue = {
    object: "list",
    has_more: false,
    data: names.map((id) => ({
      id,
      object: "model",
      type: "model",
      display_name: id,
      created: 0,
      created_at: "1970-01-01T00:00:00Z",
      owned_by: "ale",
    })),
    models: names.map((name) => ({ name: `models/${name}`, displayName: name })),
  };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
