import { Readable } from "node:stream";
import { known, type Maybe, unknown } from "../../contract/absence.ts";
import { parseJson, textAt } from "../../contract/json-fields.ts";
import type { CallOutcome } from "../../contract/model-call.ts";
import { createKeyMask, maskKeys } from "../record/key-mask.ts";
import type { AnswerFacts, GatewayErrorKind } from "../wires/wire.ts";
import type { CallContext, ReadCall } from "./call-context.ts";
import type { LiveCall } from "./live-call.ts";
import { type RelayedAnswer, type RelaySource, relayAnswer } from "./relay-answer.ts";
import { type Sent, sendCall } from "./send-call.ts";
import { sendError } from "./send-error.ts";
import { answerHeaders, withoutKeys } from "./upstream-headers.ts";

/** How a call came out, before it is priced and written. */
export interface Conducted {
  readonly outcome: CallOutcome;
  readonly facts: AnswerFacts;
  readonly sent: Tries;
  readonly firstByteMs: Maybe<number>;
  readonly body: Uint8Array | undefined;
  readonly answerType: string;
  /** Its upstream had failed before its client left; the loss is the upstream's though the trial may be over by now. */
  readonly abandoned?: true;
  readonly toldKey?: true;
}

type Tries = Pick<Sent, "retries" | "waitedMs">;

const noTries: Tries = { retries: [], waitedMs: 0 };

const nothingSaid: AnswerFacts = {
  served: undefined,
  usage: undefined,
  refusal: undefined,
  stop: undefined,
  error: undefined,
  providerCostUsd: undefined,
  complete: false,
};

/** An answer of our own. */
interface OwnAnswer {
  readonly kind: GatewayErrorKind;
  readonly message: string;
  readonly outcome: CallOutcome;
  readonly sent?: Tries;
}

/** Answers in the provider's form. */
function answerOurselves({ call, response }: LiveCall, own: OwnAnswer): Conducted {
  const { kind, message, outcome, sent = noTries } = own;
  sendError(response, call.wire.error(kind, message));
  const firstByteMs = unknown("no server answered");
  return { outcome, facts: nothingSaid, sent, firstByteMs, body: undefined, answerType: "application/json" };
}

/** Answers a call that is over a limit, which is not sent. */
export function turnAway(live: LiveCall, limit: string): Conducted {
  live.call.trial.noteLimit(limit);
  const message = `this trial has reached its limit on ${limit}; no further model calls are possible`;
  return answerOurselves(live, { kind: "limit", message, outcome: { kind: "limit", limit } });
}

/** Answers a call by its upstream, or by the recording that is replayed. */
export async function answerCall(live: LiveCall): Promise<Conducted> {
  const { call } = live;
  if (call.trial.replay !== undefined) return await replayCall(live);
  const sent = await sendCall(live);
  switch (sent.kind) {
    case "answer": {
      using _slot = sent.slot;
      return await relay(live, sent.answer, sent, known(sent.firstByteMs));
    }
    case "failed":
      return passFailure(live, sent);
    case "unreachable":
    case "abandoned": {
      const message = `${call.upstreamName} did not answer: ${sent.message}`;
      const outcome: CallOutcome = { kind: "unreachable", message };
      const own = answerOurselves(live, { kind: "unavailable", message, outcome, sent });
      return sent.kind === "abandoned" ? { ...own, abandoned: true } : own;
    }
    case "given-up": {
      const reason = call.left.aborted ? "the client left while the call waited" : "the trial was closed";
      const outcome: CallOutcome = { kind: "rejected", reason };
      return answerOurselves(live, { kind: "unavailable", message: reason, outcome, sent });
    }
  }
}

/** Passes on an error answer that is final. */
function passFailure(
  { context, call, response }: LiveCall,
  sent: Extract<Sent, { readonly kind: "failed" }>,
): Conducted {
  const { status } = sent.answer;
  const headers = withoutKeys(sent.answer.headers, context.keyForms);
  // Some servers say which key they do not like.
  const told = sent.body.toString("utf8");
  const body = Buffer.from(maskKeys(call.trial.redact(told), context.keyForms));
  if (!response.destroyed) {
    // The retries have been made here; the client's own would only repeat them.
    response.writeHead(status, { ...answerHeaders(headers, false), "x-should-retry": "false" });
    response.end(body);
  }
  const toldKey = tellsKey(context, `${JSON.stringify(sent.answer.headers)} ${told}`);
  return {
    outcome: { kind: "failed", status, message: errorMessage(body) },
    facts: nothingSaid,
    sent,
    firstByteMs: known(sent.firstByteMs),
    body,
    answerType: headers["content-type"] ?? "",
    ...(toldKey ? { toldKey } : {}),
  };
}

async function replayCall(live: LiveCall): Promise<Conducted> {
  const { trial, wire, asked } = live.call;
  const replay = await trial.replay;
  const found = await replay?.next(wire.name, asked.shape);
  if (found?.kind !== "answer") {
    const message = `the replay has diverged from its recording: ${found?.message ?? "there is none"}`;
    trial.noteDivergence(message);
    return answerOurselves(live, { kind: "diverged", message, outcome: { kind: "diverged", message } });
  }
  const headers = { "content-type": found.type };
  const source = { status: found.status, headers, body: Readable.from([found.body]) };
  return relay(live, source, noTries, unknown("replayed"));
}

async function relay(
  { context, call, response, silence, over }: LiveCall,
  source: RelaySource,
  sent: Tries,
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
  const lostMs = over.aborted ? 0 : relayed.lostMs;
  trial.noteLost(lostMs);
  const facts = meter.facts();
  const toldKey = mask.found > 0 || tellsKey(context, JSON.stringify(source.headers));
  return {
    outcome: relayedOutcome(call, source.status, facts, relayed),
    facts,
    sent: { ...sent, waitedMs: sent.waitedMs + lostMs },
    firstByteMs,
    body: relayed.body,
    answerType: source.headers["content-type"] ?? "",
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
