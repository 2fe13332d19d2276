import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Clock } from "../../contract/clock.ts";
import { parseJson } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { Usage } from "../../contract/usage.ts";
import type { Script, ScriptStep, ScriptTurn } from "./script.ts";
import type { ScriptedCall } from "./scripted-call.ts";
import { anthropicScriptWire } from "./wires/anthropic-script-wire.ts";
import { chatScriptWire } from "./wires/chat-script-wire.ts";
import { geminiScriptWire } from "./wires/gemini-script-wire.ts";
import { responsesScriptWire } from "./wires/responses-script-wire.ts";
import type { ScriptedAnswer, ScriptWire } from "./wires/script-wire.ts";

const wires: readonly ScriptWire[] = [
  anthropicScriptWire,
  chatScriptWire,
  responsesScriptWire,
  geminiScriptWire,
];

export interface AnswerContext {
  readonly script: Script;
  readonly clock: Clock;
  readonly models: readonly string[];
  /** Added to. */
  readonly calls: ScriptedCall[];
  readonly over: AbortSignal;
}

type AnswerStep = Extract<ScriptStep, { kind: "answer" | "refusal" }>;

/** Reads one request, asks the script, and does as it says. */
export async function answerRequest(
  context: AnswerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://scripted");
  const text = (await buffer(request)).toString("utf8");
  for (const wire of wires) {
    const route = wire.route(request.method ?? "GET", url);
    if (route === undefined) continue;
    const body = parseJson(text);
    if (body === undefined) return sendJson(response, 400, wire.error(400, "the body is not JSON"));
    const { tellUsage, ...read } = wire.read(body, route);
    const index = context.calls.filter((call) => call.kind === "answer").length;
    const turn: ScriptTurn = { index, wire: wire.name, ...read };
    const step: ScriptStep = route.kind === "count" ? { kind: "answer" } : context.script(turn);
    const usage = route.kind === "answer" ? toldUsage(wire, turn, step) : undefined;
    const { headers } = request;
    const shown = `${url.pathname}${url.search}`;
    context.calls.push({ wire: wire.name, kind: route.kind, url: shown, headers, body, turn, step, usage });
    if (route.kind === "count") return sendJson(response, 200, wire.count(Math.ceil(text.length / 4)));
    return perform(context, response, wire, turn, step, tellUsage);
  }
  if (/\/models\/?$/.test(url.pathname)) return sendJson(response, 200, listModels(context.models));
  sendJson(response, 404, chatScriptWire.error(404, `nothing is at ${url.pathname}`));
}

type Pace = Pick<Extract<ScriptStep, { readonly kind: "answer" }>, "afterMs" | "eventEveryMs" | "cutAfter">;

async function perform(
  context: AnswerContext,
  response: ServerResponse,
  wire: ScriptWire,
  turn: ScriptTurn,
  step: ScriptStep,
  tellUsage: boolean,
): Promise<void> {
  switch (step.kind) {
    case "answer":
    case "refusal": {
      const pace: Pace = step.kind === "answer" ? step : {};
      if (pace.afterMs !== undefined) await context.clock.sleep(pace.afterMs, context.over);
      const answer = decide(context, wire, turn, step, tellUsage);
      if (!turn.stream) return sendJson(response, 200, wire.whole(answer));
      return sendEvents(context, response, wire.events(answer), pace);
    }
    case "error": {
      const wait = step.retryAfterSeconds;
      const headers = wait === undefined ? {} : { "retry-after": String(wait) };
      const message = step.message ?? `scripted failure ${step.status}`;
      return sendJson(response, step.status, wire.error(step.status, message), headers);
    }
    case "malformed":
      if (!turn.stream) {
        response.writeHead(200, { "content-type": "application/json" });
        response.end('{"half": ');
        return;
      }
      return sendEvents(context, response, ['data: {"half": \n\n'], {});
    case "hang":
      return;
    case "drop":
      response.destroy();
  }
}

function decide(
  { clock, calls }: AnswerContext,
  wire: ScriptWire,
  turn: ScriptTurn,
  step: AnswerStep,
  tellUsage: boolean,
): ScriptedAnswer {
  const given = step.kind === "answer" ? step : undefined;
  return {
    serial: calls.length,
    created: Math.floor(clock.now() / 1000),
    model: given?.served ?? turn.model,
    text: step.text ?? "",
    reasoning: given?.reasoning ?? "",
    toolCalls: given?.toolCalls ?? [],
    refused: step.kind === "refusal",
    usage: usageOf(wire, step),
    tellUsage,
  };
}

function toldUsage(wire: ScriptWire, turn: ScriptTurn, step: ScriptStep): Usage | undefined {
  if (step.kind !== "answer" && step.kind !== "refusal") return undefined;
  const isCut = step.kind === "answer" && step.cutAfter !== undefined && turn.stream;
  return isCut ? undefined : usageOf(wire, step);
}

/** Anthropic tells no reasoning tokens, Gemini no cache writes. */
function usageOf(wire: ScriptWire, step: AnswerStep): Usage {
  const given = step.kind === "answer" ? (step.usage ?? {}) : {};
  const isAnthropic = wire.name === "anthropic-messages";
  const plain: Usage = {
    calls: 1,
    input: 1500,
    cached: 400,
    cacheWrite: isAnthropic ? 300 : 0,
    output: 60,
    reasoning: isAnthropic ? 0 : 8,
  };
  return { ...plain, ...given, calls: 1 };
}

async function sendEvents(
  { clock, over }: AnswerContext,
  response: ServerResponse,
  events: readonly string[],
  pace: Pace,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
  for (const [index, event] of events.entries()) {
    if (index === pace.cutAfter) {
      response.destroy();
      return;
    }
    if (pace.eventEveryMs !== undefined && index > 0) await clock.sleep(pace.eventEveryMs, over);
    await written(response, event);
  }
  response.end();
}

/** Resolves once the text is on its way, so that a cut afterwards does not take it back. */
function written(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    response.write(text, () => resolve());
  });
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: JsonValue,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** A list that the clients of every wire can read. */
function listModels(names: readonly string[]): JsonValue {
  return {
    object: "list",
    data: names.map((id) => ({
      id,
      object: "model",
      type: "model",
      display_name: id,
      created: 0,
      owned_by: "scripted",
    })),
    models: names.map((name) => ({ name: `models/${name}`, displayName: name })),
  };
}
