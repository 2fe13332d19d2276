import type { Clock } from "../../contract/clock.ts";
import type { UpstreamSpec } from "../../contract/models-file.ts";

/** Keeps requests to one upstream within its limits, first come first served. */
export interface Spacer {
  /**
   * Resolves when a request may be sent; the slot is released when its answer has ended. `onWait` is called, at most
   * once, when that is not at once. Rejects with the signal's reason.
   */
  acquire(signal: AbortSignal, onWait: () => Disposable): Promise<Disposable>;
  /** Nothing is sent for so long: the upstream has asked for it. */
  hold(ms: number): void;
  /** Tokens that an answer has used. */
  charge(tokens: number): void;
}

const minuteMs = 60_000;

export function createSpacer(rate: UpstreamSpec["rate"], clock: Clock): Spacer {
  const intervalMs = minuteMs / (rate.requests_per_minute ?? Number.POSITIVE_INFINITY);
  const parallel = rate.parallel ?? Number.POSITIVE_INFINITY;
  let nextStart = Number.NEGATIVE_INFINITY;
  let heldUntil = Number.NEGATIVE_INFINITY;
  /** Tokens spent ahead of the rate are paid off in time. */
  let paidUntil = Number.NEGATIVE_INFINITY;
  let inFlight = 0;
  let queued = 0;
  let tail: Promise<void> = Promise.resolve();
  let freed = Promise.withResolvers<void>();

  const delay = (): number => Math.max(nextStart, heldUntil, paidUntil) - clock.monotonic();

  function take(): Disposable {
    nextStart = Math.max(nextStart, clock.monotonic()) + intervalMs;
    inFlight++;
    let held = true;
    return {
      [Symbol.dispose]() {
        if (!held) return;
        held = false;
        inFlight--;
        freed.resolve();
        freed = Promise.withResolvers();
      },
    };
  }

  return {
    async acquire(signal, onWait) {
      signal.throwIfAborted();
      if (queued === 0 && delay() <= 0 && inFlight < parallel) return take();
      using _wait = onWait();
      const before = tail;
      const done = Promise.withResolvers<void>();
      tail = done.promise;
      queued++;
      try {
        await orAbort(before, signal);
        for (;;) {
          const ms = delay();
          if (ms > 0) await clock.sleep(ms, signal);
          else if (inFlight >= parallel) await orAbort(freed.promise, signal);
          else return take();
        }
      } finally {
        queued--;
        void before.then(done.resolve);
      }
    },
    hold(ms) {
      heldUntil = Math.max(heldUntil, clock.monotonic() + ms);
    },
    charge(tokens) {
      if (rate.tokens_per_minute === undefined) return;
      // A minute's allowance may be spent at once before any waiting.
      const start = Math.max(paidUntil, clock.monotonic() - minuteMs);
      paidUntil = start + (tokens / rate.tokens_per_minute) * minuteMs;
    },
  };
}

function orAbort(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abandon = (): void => reject(signal.reason);
    signal.addEventListener("abort", abandon, { once: true });
    void work.then(() => {
      signal.removeEventListener("abort", abandon);
      resolve();
    });
  });
}
