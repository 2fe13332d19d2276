import type { ServerResponse } from "node:http";
import { known, type Maybe, unknown } from "../../contract/absence.ts";
import type { CallOutcome, ModelCall } from "../../contract/model-call.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import { isSameModel } from "../upstream/same-model.ts";
import { watchSilence } from "../upstream/silence-watch.ts";
import type { AnswerFacts } from "../wires/wire.ts";
import { answerCall, turnAway } from "./answer-call.ts";
import type { CallContext, ReadCall } from "./call-context.ts";
import { shownPath } from "./shown-path.ts";

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
  const { first_byte_seconds: first, idle_seconds: idle } = call.upstream.silence;
  using silence = watchSilence({ clock, shortestMs: Math.min(first, idle) * 1000, left: call.left });
  using life = trial.begin(() => silence.leftInVain);
  const { over } = life;
  const live = { context, call, response, silence, over };
  const done = limit === undefined ? await answerCall(live) : turnAway(live, limit);
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
  // What is still under way when the trial is over is broken off by the house, and lost to nobody.
  if (!over.aborted || done.abandoned === true) {
    noteOutcome(call, outcome);
    if (isAnswer) trial.noteEnd(outcome, seq, call.left.aborted);
  }
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
    ...(done.toldKey === true ? { toldKey: true } : {}),
    shape: asked.shape,
    answerType: done.answerType,
    request,
    response: done.body === undefined ? unknown("there was no answer") : known(trial.log.keep(done.body)),
  };
  trial.log.append(line);
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
  if (outcome.kind === "refused") trial.noteRefusal(outcome.reason);
  if (outcome.kind === "failed") {
    const { status, message } = outcome;
    if (status >= 500 || notTheContestants.includes(status)) trial.noteFailure({ model, status, message });
  }
  if (outcome.kind === "cut" || outcome.kind === "unreachable") {
    trial.noteFailure({ model, status: 0, message: outcome.message });
  }
}
