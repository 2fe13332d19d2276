import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
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
import { type Rejection, rejectCall } from "./reject-call.ts";
import { sendError } from "./send-error.ts";
import type { TrialSession } from "./trial-session.ts";
import { tokenOf, upstreamHeaders } from "./upstream-headers.ts";

export const wires: readonly Wire[] = [anthropicWire, chatWire, responsesWire, geminiWire];

/** Tells whose token it is; `undefined` for tokens that never were or are no more. */
export type FindTrial = (token: string | undefined) => TrialSession | undefined;

/** One request to the gateway, whatever it is. */
export async function handleRequest(
  context: CallContext,
  findTrial: FindTrial,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://gateway");
  const method = request.method ?? "GET";
  const trial = findTrial(tokenOf(request.headers, url));
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
    const raw = await buffer(request);
    const arrived = { trial, wire, route, url, request, raw, left: left.signal };
    const call = readCall(context, arrived);
    if ("reason" in call) return rejectCall(context.clock, arrived, raw, call, response);
    return conductCall(context, call, response);
  }
  const isList = method === "GET" && /^\/v1(?:beta)?\/models\/?$/.test(url.pathname);
  if (isList && trial !== undefined) return sendList(response, Object.keys(context.models.models));
  sendError(response, anthropicWire.error("unknown-model", `nothing is at ${method} ${url.pathname}`));
}

interface Arrived extends Pick<ReadCall, "trial" | "wire" | "route" | "url" | "left"> {
  readonly request: IncomingMessage;
  readonly raw: Uint8Array;
}

/** The call, or why it cannot be made. */
function readCall(
  { models, keys }: CallContext,
  { trial, wire, route, url, left, request, raw }: Arrived,
): ReadCall | Rejection {
  const parsed = parseJson(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString("utf8"));
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
