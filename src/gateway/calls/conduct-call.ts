import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { known, type Maybe, unknown } from "../../contract/absence.ts";
import { parseJson, textAt } from "../../contract/json-fields.ts";
import type { CallOutcome, ModelCall } from "../../contract/model-call.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import { isSameModel } from "../upstream/same-model.ts";
import type { AnswerFacts, GatewayErrorKind } from "../wires/wire.ts";
import type { CallContext, ReadCall } from "./call-context.ts";
import { type RelayedAnswer, relayAnswer } from "./relay-answer.ts";
import { type Sent, sendCall } from "./send-call.ts";
import { sendError } from "./send-error.ts";
import { shownPath } from "./shown-path.ts";
import { answerHeaders } from "./upstream-headers.ts";

/** How a call came out, before it is priced and written. */
interface Conducted {
  readonly outcome: CallOutcome;
  readonly facts: AnswerFacts;
  readonly sent: Pick<Sent, "retries" | "waitedMs">;
  readonly firstByteMs: Maybe<number>;
  readonly body: Uint8Array | undefined;
  readonly answerType: string;
}

/** Makes one call from its sending to its line in the record. */
export async function conductCall(
  context: CallContext,
  call: ReadCall,
  response: ServerResponse,
): Promise<void> {
  const { clock } = context;
  const { trial, asked, route, wire } = call;
  const seq = trial.nextSeq();
  const at = clock.now();
  const from = clock.monotonic();
  const isAnswer = route.kind === "answer";
  const request = trial.log.keep(call.body);
  const limit = isAnswer ? trial.spend.admit() : undefined;
  const done =
    limit === undefined ? await answerCall(context, call, response) : turnAway(call, response, limit);
  const { facts, outcome } = done;
  const usage = usageOf(outcome, facts);
  const priced = usage.known
    ? context.prices.price(asked.model, usage.value, at)
    : { costUsd: usage, source: "none" };
  const spent = limit === undefined && isAnswer;
  if (spent) {
    trial.settle(usage, priced.costUsd, facts.providerCostUsd);
    if (usage.known) context.spacer(call.upstreamName).charge(usage.value.input + usage.value.output);
  }
  const { served } = facts;
  // A recording answers under the name of the model that was recorded.
  const asAsked =
    served === undefined ||
    trial.replay !== undefined ||
    isSameModel(call.sent, served, call.model.served_as);
  if (!asAsked) trial.noteSubstitution(asked.model, served ?? "");
  noteOutcome(call, outcome);
  if (isAnswer && !trial.over.aborted) trial.noteEnd(outcome);
  const line: ModelCall = {
    seq,
    at,
    wire: wire.name,
    path: shownPath(call.url),
    upstream: known(call.upstreamName),
    asked: asked.model,
    sent: call.sent,
    served: served === undefined ? unknown("the answer does not say") : known(served),
    asAsked,
    stream: asked.stream,
    effort: asked.effort,
    effortSent: call.effortSent,
    outcome,
    usage: isAnswer ? usage : unknown("a count of tokens is not a model call"),
    costUsd: isAnswer ? priced.costUsd : known(0),
    priceSource: priced.source,
    providerCostUsd:
      facts.providerCostUsd === undefined
        ? unknown("the provider does not say")
        : known(facts.providerCostUsd),
    retries: done.sent.retries,
    waitedMs: done.sent.waitedMs,
    firstByteMs: done.firstByteMs,
    wallMs: clock.monotonic() - from,
    clientLeft: call.left.aborted,
    shape: asked.shape,
    answerType: done.answerType,
    request,
    response: done.body === undefined ? unknown("there was no answer") : known(trial.log.keep(done.body)),
  };
  trial.log.append(line);
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

function turnAway(call: ReadCall, response: ServerResponse, limit: string): Conducted {
  call.trial.noteLimit(limit);
  const message = `this trial has reached its limit on ${limit}; no further model calls are possible`;
  return ownAnswer(call, response, "limit", message, { kind: "limit", limit });
}

async function answerCall(
  context: CallContext,
  call: ReadCall,
  response: ServerResponse,
): Promise<Conducted> {
  if (call.trial.replay !== undefined) return replayCall(call, response);
  const sent = await sendCall(context, call);
  switch (sent.kind) {
    case "answer": {
      using _slot = sent.slot;
      return await relay(call, sent.answer, response, sent, known(sent.firstByteMs));
    }
    case "failed": {
      const { status, headers } = sent.answer;
      // Some servers say which key they do not like.
      const body = Buffer.from(call.trial.redact(sent.body.toString("utf8")));
      const message = errorMessage(body);
      if (!response.destroyed) {
        // The retries have been made here; the client's own would only repeat them.
        response.writeHead(status, { ...answerHeaders(headers, false), "x-should-retry": "false" });
        response.end(body);
      }
      const outcome: CallOutcome = { kind: "failed", status, message };
      const answerType = headers["content-type"] ?? "";
      const firstByteMs = known(sent.firstByteMs);
      return { outcome, facts: nothingSaid, sent, firstByteMs, body, answerType };
    }
    case "unreachable": {
      const message = `${call.upstreamName} did not answer: ${sent.message}`;
      return ownAnswer(call, response, "unavailable", message, { kind: "unreachable", message }, sent);
    }
    case "given-up": {
      const reason = call.left.aborted ? "the client left while the call waited" : "the trial was closed";
      return ownAnswer(call, response, "unavailable", reason, { kind: "rejected", reason }, sent);
    }
  }
}

async function replayCall(call: ReadCall, response: ServerResponse): Promise<Conducted> {
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
  return relay(call, source, response, { retries: [], waitedMs: 0 }, unknown("replayed"));
}

async function relay(
  call: ReadCall,
  source: Parameters<typeof relayAnswer>[0],
  response: ServerResponse,
  sent: Pick<Sent, "retries" | "waitedMs">,
  firstByteMs: Maybe<number>,
): Promise<Conducted> {
  const meter = call.wire.createMeter();
  const relayed = await relayAnswer(source, response, meter, call.hideUsage);
  const facts = meter.facts();
  return {
    outcome: relayedOutcome(call, source.status, facts, relayed),
    facts,
    sent,
    firstByteMs,
    body: relayed.body,
    answerType: source.headers["content-type"] ?? "",
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

/** An error costs nothing; an answer whose numbers were not told costs something unknown. */
function usageOf(outcome: CallOutcome, facts: AnswerFacts): Maybe<Usage> {
  if (facts.usage !== undefined) return known(facts.usage);
  const isAnswer = outcome.kind === "answered" || outcome.kind === "refused" || outcome.kind === "cut";
  return isAnswer ? unknown("the provider did not tell the usage") : known(noUsage);
}

/** Errors about the key, the account or the load; other 4xx are about what the harness sent. */
const notTheContestants = [401, 402, 403, 408, 429];

function noteOutcome({ trial, asked }: ReadCall, outcome: CallOutcome): void {
  const model = asked.model;
  // What is still under way when the trial is over is broken off by the house, and lost to nobody.
  if (trial.over.aborted) return;
  if (outcome.kind === "refused") trial.noteRefusal(outcome.reason);
  if (outcome.kind === "failed") {
    const { status, message } = outcome;
    if (status >= 500 || notTheContestants.includes(status)) trial.noteFailure({ model, status, message });
  }
  if (outcome.kind === "cut" || outcome.kind === "unreachable") {
    trial.noteFailure({ model, status: 0, message: outcome.message });
  }
}

function errorMessage(body: Uint8Array): string {
  const text = Buffer.from(body).toString("utf8");
  return textAt(parseJson(text), "error", "message") ?? text.slice(0, 500);
}
