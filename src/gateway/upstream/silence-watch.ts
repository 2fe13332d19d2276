import type { Clock } from "../../contract/clock.ts";

/**
 * How long a client must have waited in vain for its leaving to be perhaps the server's fault, in milliseconds: programs
 * end calls that they no longer need as well.
 */
const patienceMs = 60_000;

/** Looks after one call: a server that says nothing for too long is given up. Disposing of it ends the watch. */
export interface SilenceWatch extends Disposable {
  /**
   * Something is waited for: silence counts from now.
   * @param limitMs longest silence, in milliseconds, not shorter than the shortest of the watch.
   * @param giveUp called once, when the silence has lasted for so long.
   */
  listen(limitMs: number, giveUp: (error: Error) => void): void;
  /** It has come, or nobody asks for more: no silence counts. */
  rest(): void;
  /** The silence so far, in milliseconds; 0 at rest. */
  silentMs(): number;
  /** The client gave up after a long wait, and nothing has come since: whose fault that was, only the answer can tell. */
  readonly leftInVain: boolean;
}

export interface SilenceWatchOptions {
  readonly clock: Clock;
  /** Shortest limit that it will be asked to watch, in milliseconds. */
  readonly shortestMs: number;
  /** Aborted when the client leaves. */
  readonly left: AbortSignal;
}

interface Limit {
  readonly ms: number;
  readonly giveUp: (error: Error) => void;
}

/** Begins at rest. One timer runs at a time, however often something comes. */
export function watchSilence({ clock, shortestMs, left }: SilenceWatchOptions): SilenceWatch {
  const over = new AbortController();
  let since: number | undefined;
  let limit: Limit | undefined;
  let leftAfterMs = 0;
  const silentMs = (): number => (since === undefined ? 0 : clock.monotonic() - since);

  async function watch(): Promise<void> {
    for (;;) {
      const ms = limit === undefined ? shortestMs : limit.ms - silentMs();
      // Never longer than the shortest limit: one that is set meanwhile ends no sooner.
      if (ms > 0) await clock.sleep(Math.min(ms, shortestMs), over.signal);
      else {
        const reached = limit;
        limit = undefined;
        reached?.giveUp(new Error(`nothing came for ${Math.round(reached.ms / 1000)} s`));
      }
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
    listen(ms, giveUp) {
      since = clock.monotonic();
      limit = { ms, giveUp };
    },
    rest() {
      since = undefined;
      limit = undefined;
      leftAfterMs = 0;
    },
    silentMs,
    get leftInVain() {
      return leftAfterMs >= patienceMs;
    },
    [Symbol.dispose]() {
      left.removeEventListener("abort", onLeft);
      over.abort();
    },
  };
}
