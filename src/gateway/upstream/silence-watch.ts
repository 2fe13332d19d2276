import type { Clock } from "../../contract/clock.ts";

/**
 * How long a client must have waited in vain for its leaving to be the server's fault, in milliseconds: programs end calls
 * that they no longer need as well.
 */
const patienceMs = 60_000;

/** Looks after one answer: a server that says nothing for too long is given up. Disposing of it ends the watch. */
export interface SilenceWatch extends Disposable {
  /** Something is waited for: silence counts from now. */
  listen(): void;
  /** It has come, or nobody asks for more: no silence counts. */
  rest(): void;
  /** The silence so far, in milliseconds; 0 at rest. */
  silentMs(): number;
  /** What became of a client that gave up before we did; `undefined` for one that has not, or that had hardly waited. */
  readonly abandoned: string | undefined;
}

export interface SilenceWatchOptions {
  readonly clock: Clock;
  /** Longest silence, in milliseconds. */
  readonly limitMs: number;
  /** Aborted when the client leaves. */
  readonly left: AbortSignal;
  /** Called once, when the silence has lasted for so long. */
  readonly giveUp: (error: Error) => void;
}

/** Begins at rest. One timer runs at a time, however often something comes. */
export function watchSilence({ clock, limitMs, left, giveUp }: SilenceWatchOptions): SilenceWatch {
  const over = new AbortController();
  let since: number | undefined;
  let leftAfterMs = 0;
  const silentMs = (): number => (since === undefined ? 0 : clock.monotonic() - since);

  async function watch(): Promise<void> {
    for (;;) {
      const ms = limitMs - silentMs();
      if (ms <= 0) return giveUp(new Error(`nothing came for ${seconds(limitMs)}`));
      await clock.sleep(ms, over.signal);
    }
  }
  void watch().catch((error: unknown) => {
    if (!over.signal.aborted) throw error;
  });
  const onLeft = (): void => {
    leftAfterMs = silentMs();
  };
  left.addEventListener("abort", onLeft, { once: true });

  return {
    listen() {
      since = clock.monotonic();
    },
    rest() {
      since = undefined;
      leftAfterMs = 0;
    },
    silentMs,
    get abandoned() {
      if (leftAfterMs < patienceMs) return undefined;
      return `nothing came for ${seconds(leftAfterMs)}, and the client left`;
    },
    [Symbol.dispose]() {
      left.removeEventListener("abort", onLeft);
      over.abort();
    },
  };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
