import type { Readable } from "node:stream";
import type { CallRetry } from "../../contract/model-call.ts";
import { askedDelayMs, isPassing, retryDelayMs } from "../upstream/retry-delay.ts";
import type { UpstreamAnswer, UpstreamRequest } from "../upstream/upstream.ts";
import type { CallContext, ReadCall } from "./call-context.ts";

/** How far a call got. */
export type Sent = {
  readonly retries: readonly CallRetry[];
  readonly waitedMs: number;
} & (
  | {
      readonly kind: "answer";
      readonly answer: UpstreamAnswer;
      /** Held until the answer has ended. */
      readonly slot: Disposable;
      readonly firstByteMs: number;
    }
  /** An error answer that is final; its body is read. */
  | {
      readonly kind: "failed";
      readonly answer: UpstreamAnswer;
      readonly body: Buffer;
      readonly firstByteMs: number;
    }
  | { readonly kind: "unreachable"; readonly message: string }
  /** The client left, or the trial was closed, before any answer. */
  | { readonly kind: "given-up" }
);

/** Largest error body that is read. */
const errorBytes = 1024 * 1024;

/** Sends a call within its upstream's limits, again after a passing failure as often as its policy says. */
export async function sendCall(context: CallContext, call: ReadCall): Promise<Sent> {
  const { clock, random } = context;
  const { trial, upstream } = call;
  const spacer = context.spacer(call.upstreamName);
  const waiting = AbortSignal.any([trial.closing, call.left]);
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
      const isLast = attempt >= upstream.retry.attempts;
      const from = clock.monotonic();
      let answer: UpstreamAnswer;
      try {
        answer = await context.upstream.send(request, trial.over);
      } catch (error) {
        slot[Symbol.dispose]();
        if (trial.over.aborted) return { kind: "given-up", retries, waitedMs };
        const message = connectionMessage(error);
        if (isLast) return { kind: "unreachable", message, retries, waitedMs };
        await pause(message, retryDelayMs(attempt, upstream.retry, undefined, random));
        continue;
      }
      const firstByteMs = clock.monotonic() - from;
      if (answer.status >= 300 && answer.status < 400) {
        answer.body.destroy();
        slot[Symbol.dispose]();
        const place = answer.headers.location ?? "no place";
        const message = `it sends on to ${place} (HTTP ${answer.status}), which is not followed; put that into base_url`;
        return { kind: "unreachable", message, retries, waitedMs };
      }
      if (answer.status < 400) return { kind: "answer", answer, slot, firstByteMs, retries, waitedMs };
      const body = await readError(answer.body);
      slot[Symbol.dispose]();
      if (isLast || !isPassing(answer.status, body.toString("utf8"))) {
        return { kind: "failed", answer, body, firstByteMs, retries, waitedMs };
      }
      const asked = askedDelayMs(answer.headers, clock.now());
      const delay = retryDelayMs(attempt, upstream.retry, asked, random);
      if (asked !== undefined) spacer.hold(asked);
      await pause(String(answer.status), delay);
    }
  } catch (error) {
    if (waiting.aborted) return { kind: "given-up", retries, waitedMs };
    throw error;
  }
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

async function readError(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > errorBytes) break;
    }
    return Buffer.concat(chunks).subarray(0, errorBytes);
  } catch (error) {
    // The status has said what there is to know.
    return Buffer.from(`the error's text could not be read: ${connectionMessage(error)}`);
  }
}

function connectionMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as NodeJS.ErrnoException).code;
  return code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
