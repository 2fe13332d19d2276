import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { known, type Maybe, unknown } from "../../contract/absence.ts";
import { parseJson, textAt } from "../../contract/json-fields.ts";
import type { CallOutcome } from "../../contract/model-call.ts";
import { createKeyMask, maskKeys } from "../record/key-mask.ts";
import { type SilenceWatch, watchSilence } from "../upstream/silence-watch.ts";
import type { AnswerFacts, GatewayErrorKind } from "../wires/wire.ts";
import type { CallContext, ReadCall } from "./call-context.ts";
import { type RelayedAnswer, type RelaySource, relayAnswer } from "./relay-answer.ts";
import { type Sent, sendCall } from "./send-call.ts";
import { sendError } from "./send-error.ts";
import { answerHeaders, withoutKeys } from "./upstream-headers.ts";

/** How a call came out, before it is priced and written. */
export interface Conducted {
  readonly outcome: CallOutcome;
  readonly facts: AnswerFacts;
  readonly sent: Pick<Sent, "retries" | "waitedMs">;
  readonly firstByteMs: Maybe<number>;
  readonly body: Uint8Array | undefined;
  readonly answerType: string;
  /** Its client gave the upstream up before we did; the loss is the upstream's though the trial may be over by now. */
  readonly abandoned?: true;
  readonly toldKey?: true;
}

const nothingSaid: AnswerFacts = {
  served: undefined,
  usage: undefined,
  refusal: undefined,
  stop: undefined,
  error: undefined,
  providerCostUsd: undefined,
  complete: false,
};

/** An answer of our own, in the provider's form. */
function ownAnswer(
  call: ReadCall,
  response: ServerResponse,
  kind: GatewayErrorKind,
  message: string,
  outcome: CallOutcome,
  sent: Pick<Sent, "retries" | "waitedMs"> = { retries: [], waitedMs: 0 },
): Conducted {
  sendError(response, call.wire.error(kind, message));
  const firstByteMs = unknown("no server answered");
  return { outcome, facts: nothingSaid, sent, firstByteMs, body: undefined, answerType: "application/json" };
}

/** Answers a call that is over a limit, which is not sent. */
export function turnAway(call: ReadCall, response: ServerResponse, limit: string): Conducted {
  call.trial.noteLimit(limit);
  const message = `this trial has reached its limit on ${limit}; no further model calls are possible`;
  return ownAnswer(call, response, "limit", message, { kind: "limit", limit });
}

/** Answers a call by its upstream, or by the recording that is replayed. */
export async function answerCall(
  context: CallContext,
  call: ReadCall,
  response: ServerResponse,
): Promise<Conducted> {
  const { first_byte_seconds: first, idle_seconds: idle } = call.upstream.silence;
  const shortestMs = Math.min(first, idle) * 1000;
  using silence = watchSilence({ clock: context.clock, shortestMs, left: call.left });
  if (call.trial.replay !== undefined) return await replayCall(context, call, response, silence);
  const sent = await sendCall(context, call, silence);
  switch (sent.kind) {
    case "answer": {
      using _slot = sent.slot;
      return await relay(context, call, sent.answer, response, silence, sent, known(sent.firstByteMs));
    }
    case "failed": {
      const { status } = sent.answer;
      const headers = withoutKeys(sent.answer.headers, context.keyForms);
      // Some servers say which key they do not like.
      const told = sent.body.toString("utf8");
      const body = Buffer.from(maskKeys(call.trial.redact(told), context.keyForms));
      const message = errorMessage(body);
      if (!response.destroyed) {
        // The retries have been made here; the client's own would only repeat them.
        response.writeHead(status, { ...answerHeaders(headers, false), "x-should-retry": "false" });
        response.end(body);
      }
      const outcome: CallOutcome = { kind: "failed", status, message };
      const answerType = headers["content-type"] ?? "";
      const firstByteMs = known(sent.firstByteMs);
      const toldKey = tellsKey(context, `${JSON.stringify(sent.answer.headers)} ${told}`);
      return {
        outcome,
        facts: nothingSaid,
        sent,
        firstByteMs,
        body,
        answerType,
        ...(toldKey ? { toldKey } : {}),
      };
    }
    case "unreachable":
    case "abandoned": {
      const message = `${call.upstreamName} did not answer: ${sent.message}`;
      const outcome: CallOutcome = { kind: "unreachable", message };
      const own = ownAnswer(call, response, "unavailable", message, outcome, sent);
      return sent.kind === "abandoned" ? { ...own, abandoned: true } : own;
    }
    case "given-up": {
      const reason = call.left.aborted ? "the client left while the call waited" : "the trial was closed";
      return ownAnswer(call, response, "unavailable", reason, { kind: "rejected", reason }, sent);
    }
  }
}

async function replayCall(
  context: CallContext,
  call: ReadCall,
  response: ServerResponse,
  silence: SilenceWatch,
): Promise<Conducted> {
  const { trial, wire, asked } = call;
  const replay = await trial.replay;
  const found = await replay?.next(wire.name, asked.shape);
  if (found?.kind !== "answer") {
    const message = `the replay has diverged from its recording: ${found?.message ?? "there is none"}`;
    trial.noteDivergence(message);
    return ownAnswer(call, response, "diverged", message, { kind: "diverged", message });
  }
  const headers = { "content-type": found.type };
  const source = { status: found.status, headers, body: Readable.from([found.body]) };
  return relay(context, call, source, response, silence, { retries: [], waitedMs: 0 }, unknown("replayed"));
}

async function relay(
  context: CallContext,
  call: ReadCall,
  source: RelaySource,
  response: ServerResponse,
  silence: SilenceWatch,
  sent: Pick<Sent, "retries" | "waitedMs">,
  firstByteMs: Maybe<number>,
): Promise<Conducted> {
  const { keyForms } = context;
  const { trial, upstream, hideUsage } = call;
  const meter = call.wire.createMeter();
  const mask = createKeyMask(keyForms);
  const headers = withoutKeys(source.headers, keyForms);
  const idleMs = upstream.silence.idle_seconds * 1000;
  const relayed = await relayAnswer({ ...source, headers }, response, {
    meter,
    hideUsage,
    mask,
    silence,
    idleMs,
  });
  const { abandoned } = silence;
  const isAbandoned = relayed.cut !== undefined && abandoned !== undefined;
  // A trial that is closed by its own end breaks off what would not have come.
  const cut = trial.over.aborted && isAbandoned ? abandoned : relayed.cut;
  const isLost = !trial.over.aborted || isAbandoned;
  if (relayed.cut !== undefined && isLost) trial.noteLost(relayed.lostMs);
  const facts = meter.facts();
  const toldKey = mask.found > 0 || tellsKey(context, JSON.stringify(source.headers));
  return {
    outcome: relayedOutcome(call, source.status, facts, { ...relayed, cut }),
    facts,
    sent: { ...sent, waitedMs: sent.waitedMs + (isLost ? relayed.lostMs : 0) },
    firstByteMs,
    body: relayed.body,
    answerType: source.headers["content-type"] ?? "",
    ...(isAbandoned ? { abandoned: true } : {}),
    ...(toldKey ? { toldKey } : {}),
  };
}

function relayedOutcome(
  { route }: ReadCall,
  status: number,
  facts: AnswerFacts,
  { cut, body }: RelayedAnswer,
): CallOutcome {
  if (cut !== undefined) return { kind: "cut", message: cut };
  if (status >= 400) return { kind: "failed", status, message: errorMessage(body) };
  if (facts.error !== undefined) return { kind: "cut", message: facts.error };
  if (facts.refusal !== undefined) return { kind: "refused", status, reason: facts.refusal };
  if (route.kind === "answer" && !facts.complete) {
    return { kind: "cut", message: "the answer ended without saying that it was complete" };
  }
  return { kind: "answered", status, ...(facts.stop === undefined ? {} : { stop: facts.stop }) };
}

function tellsKey({ keyForms }: CallContext, text: string): boolean {
  return keyForms.some((form) => text.includes(form));
}

function errorMessage(body: Uint8Array): string {
  const text = Buffer.from(body).toString("utf8");
  return textAt(parseJson(text), "error", "message") ?? text.slice(0, 500);
}
