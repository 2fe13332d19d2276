import type { CallRetry } from "../../contract/model-call.ts";
import { askedDelayMs, isPassing, retryDelayMs } from "../upstream/retry-delay.ts";
import type { UpstreamRequest } from "../upstream/upstream.ts";
import type { ReadCall } from "./call-context.ts";
import type { LiveCall } from "./live-call.ts";
import { type TriedCall, tryCall } from "./try-call.ts";

/** How far a call got. */
export type Sent = {
  readonly retries: readonly CallRetry[];
  readonly waitedMs: number;
} & (
  | (Extract<TriedCall, { readonly kind: "answer" }> & {
      /** Held until the answer has ended. */
      readonly slot: Disposable;
    })
  /** An error answer that is final. */
  | Extract<TriedCall, { readonly kind: "failed" }>
  | { readonly kind: "unreachable"; readonly message: string }
  /** The upstream had failed or been silent for too long, and the client left before it was asked again. */
  | { readonly kind: "abandoned"; readonly message: string }
  /** The client left, or the trial was closed, before any answer. */
  | { readonly kind: "given-up" }
);

/** Sends a call within its upstream's limits, again after a passing failure or a silence as often as its policy says. */
export async function sendCall(live: LiveCall): Promise<Sent> {
  const { context, call } = live;
  const { clock, random } = context;
  const { trial, upstream, left } = call;
  const spacer = context.spacer(call.upstreamName);
  const waiting = AbortSignal.any([trial.closing, left]);
  const request = upstreamRequest(call);
  const retries: CallRetry[] = [];
  let waitedMs = 0;

  /** Waiting time is the house's, not the contestant's. */
  async function waited<T>(wait: () => Promise<T>): Promise<T> {
    const from = clock.monotonic();
    try {
      return await wait();
    } finally {
      const ms = clock.monotonic() - from;
      waitedMs += ms;
      trial.noteWaited(ms);
    }
  }

  async function pause(reason: string, ms: number): Promise<void> {
    retries.push({ reason, waitedMs: ms });
    await waited(async () => {
      using _wait = trial.onWait();
      await clock.sleep(ms, waiting);
    });
  }

  try {
    for (let attempt = 1; ; attempt++) {
      const slot = await waited(() => spacer.acquire(waiting, trial.onWait));
      const from = clock.monotonic();
      const tried = await tryCall(live, request);
      if (tried.kind === "answer") return { ...tried, slot, retries, waitedMs };
      slot[Symbol.dispose]();
      if (tried.kind === "over") return { kind: "given-up", retries, waitedMs };
      if (tried.kind === "elsewhere") return { ...tried, kind: "unreachable", retries, waitedMs };
      const passes = isPassingTry(tried);
      if (passes) {
        const ms = clock.monotonic() - from;
        waitedMs += ms;
        trial.noteLost(ms);
      }
      // Who has left waits for no other try.
      if (!passes || attempt >= upstream.retry.attempts || left.aborted) {
        return { ...(tried.kind === "none" ? { ...tried, kind: "unreachable" } : tried), retries, waitedMs };
      }
      const headers = tried.kind === "failed" ? tried.answer.headers : {};
      const asked = askedDelayMs(headers, clock.now());
      if (asked !== undefined) spacer.hold(asked);
      const reason = tried.kind === "failed" ? String(tried.answer.status) : tried.message;
      await pause(reason, retryDelayMs(attempt, upstream.retry, asked, random));
    }
  } catch (error) {
    if (!waiting.aborted) throw error;
    const last = retries.at(-1);
    if (last === undefined || !left.aborted) return { kind: "given-up", retries, waitedMs };
    const reason = /^\d+$/.test(last.reason) ? `HTTP ${last.reason}` : last.reason;
    return { kind: "abandoned", message: `${reason}, and the client left`, retries, waitedMs };
  }
}

/** True when the same request may get an answer the next time. */
function isPassingTry(tried: Extract<TriedCall, { readonly kind: "failed" | "none" }>): boolean {
  return tried.kind !== "failed" || isPassing(tried.answer.status, tried.body.toString("utf8"));
}

function upstreamRequest(call: ReadCall): UpstreamRequest {
  const { upstream, wire, route, url, headers, body, sent } = call;
  const path = route.path.replace("{model}", encodeURIComponent(sent));
  const base = upstream.base_urls[wire.name] ?? upstream.base_url;
  const target = new URL(base);
  // What the base itself asks, such as a version, stays behind the path.
  target.pathname = `${target.pathname.replace(/\/+$/, "")}${path}`;
  for (const [name, value] of url.searchParams) if (name !== "key") target.searchParams.append(name, value);
  return { url: target, headers, body };
}
