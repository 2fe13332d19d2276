import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../contract/clock.ts";
import type { CallOutcome } from "../contract/model-call.ts";
import { createCallLives } from "./call-lives.ts";
import type { TrialSession } from "./calls/trial-session.ts";
import type { McpHandler, Substitution, TrialGrantOptions, TrialMeter, UpstreamFailure } from "./gateway.ts";
import { createSpend } from "./money/spend.ts";
import { createBodyRedaction } from "./record/body-redaction.ts";
import { createCallLog } from "./record/call-log.ts";
import { openReplay } from "./record/replay.ts";

/** An open trial from the gateway's side. */
export interface OpenTrial {
  readonly session: TrialSession;
  meter(): TrialMeter;
  /** The house's server at this path, when there is one. */
  mcp(path: string): McpHandler | undefined;
  /** Counts a call of this trial as under way until it settles. */
  track(call: Promise<void>, request: IncomingMessage, response: ServerResponse): void;
  /**
   * Gives up what waits and what has not come in whole, lets answers under way end for so long and then breaks them off,
   * and writes what is left to write.
   * @param judging until it is aborted, calls that are owed an answer are waited for; absent = none is.
   */
  close(drainMs: number, judging?: AbortSignal): Promise<TrialMeter>;
}

/** What a call came by and is answered by. */
interface Connection {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export function openTrial(options: TrialGrantOptions, clock: Clock, secrets: readonly string[]): OpenTrial {
  const spend = createSpend(options.limits);
  const redact = createBodyRedaction(secrets);
  const log = createCallLog(options.record, redact);
  const replay =
    options.replay === undefined ? undefined : openReplay(options.replay, options.contestant.model);
  // A recording that cannot be read is told by the first call, or by closing.
  replay?.catch(() => undefined);
  const closing = new AbortController();
  const lives = createCallLives(clock);
  const rejected: string[] = [];
  const refusals: string[] = [];
  const substitutions = new Map<string, Substitution>();
  const failures: UpstreamFailure[] = [];
  const underWay = new Map<Promise<void>, Connection>();
  let seq = 0;
  let waitedMs = 0;
  let exceeded: string | undefined;
  let divergence: string | undefined;
  let lastEnd: CallOutcome | undefined;
  let lastEnded = 0;
  let failure: unknown;

  const session: TrialSession = {
    contestant: options.contestant,
    spend,
    log,
    redact,
    held: { bytes: 0 },
    replay,
    onWait: options.onWait,
    closing: closing.signal,
    begin: (isOwed) => lives.begin(isOwed),
    nextSeq: () => ++seq,
    noteWaited: (ms) => {
      waitedMs += ms;
    },
    noteLost(ms) {
      if (ms <= 0) return;
      waitedMs += ms;
      options.onWait(ms)[Symbol.dispose]();
    },
    noteLimit(limit) {
      if (exceeded !== undefined) return;
      exceeded = limit;
      options.onExceeded(limit);
    },
    noteRejected: (reason) => rejected.push(reason),
    noteRefusal: (reason) => refusals.push(reason),
    noteSubstitution: (asked, served) => substitutions.set(`${asked} → ${served}`, { asked, served }),
    noteFailure: (lost) => failures.push(lost),
    noteDivergence: (message) => {
      divergence ??= message;
    },
    noteEnd(outcome, ended, clientLeft) {
      // Nobody has heard it, and whoever asked went on.
      if (clientLeft && ended < lastEnded) return;
      lastEnd = outcome;
      lastEnded = Math.max(lastEnded, ended);
    },
    settle: (usage, cost, providerCost) => spend.settle(usage, cost, providerCost),
  };

  const meter = (): TrialMeter => ({
    usage: spend.usage(),
    unmetered: spend.unmetered,
    underWay: lives.count,
    costUsd: spend.costUsd,
    knownCostUsd: spend.knownCostUsd,
    providerCostUsd: spend.providerCostUsd,
    lastEnd,
    waitedMs,
    rejected: [...rejected],
    refusals: [...refusals],
    substitutions: [...substitutions.values()],
    failures: [...failures],
    exceeded,
    divergence,
  });

  let closed: Promise<TrialMeter> | undefined;
  const close = async (drainMs: number, judging?: AbortSignal): Promise<TrialMeter> => {
    closing.abort(new DOMException("the trial was closed", "AbortError"));
    for (const { request } of underWay.values()) if (!request.complete) request.destroy();
    const drained = new AbortController();
    const breaking = clock.sleep(drainMs, drained.signal).then(
      () => {
        const broken = lives.breakOff(drainMs, judging && AbortSignal.any([judging, drained.signal]));
        // Of a call that is waited for the client has left.
        for (const { response } of underWay.values()) response.destroy();
        return broken;
      },
      () => undefined,
    );
    while (underWay.size > 0) await Promise.allSettled(underWay.keys());
    drained.abort();
    await breaking;
    await log.flush();
    if (failure !== undefined) throw failure;
    return meter();
  };

  return {
    session,
    meter,
    mcp(path) {
      const name = /^\/mcp\/([^/]+)\/?$/.exec(path)?.[1];
      return name === undefined || closing.signal.aborted ? undefined : options.mcp?.[name];
    },
    track(call, request, response) {
      const tracked = call.catch((error: unknown) => {
        failure ??= error;
      });
      underWay.set(tracked, { request, response });
      void tracked.then(() => underWay.delete(tracked));
    },
    close: (drainMs, judging) => (closed ??= close(drainMs, judging)),
  };
}
