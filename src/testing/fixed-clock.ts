import type { Clock } from "../contract/clock.ts";

/** A clock that stands still until told otherwise. */
export interface FixedClock extends Clock {
  /** Moves on by `ms`, waking sleepers in the order they are due and letting each act before the next. */
  advance(ms: number): Promise<void>;
  /** Sleepers now waiting. */
  readonly sleeping: number;
  /** Resolves once at least `count` sleepers wait. */
  untilSleeping(count: number): Promise<void>;
}

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** Lets everything that is ready run, up to real input and output that has already ended. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** @param start milliseconds since the epoch, default 2026-01-01T00:00:00Z. */
export function createFixedClock(start: number = Date.UTC(2026, 0, 1)): FixedClock {
  let elapsed = 0;
  const sleepers = new Set<Sleeper>();
  const watchers = new Set<{ readonly count: number; readonly reached: () => void }>();

  function tellWatchers(): void {
    for (const watcher of watchers) {
      if (sleepers.size < watcher.count) continue;
      watchers.delete(watcher);
      watcher.reached();
    }
  }

  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    sleep(ms, signal) {
      return new Promise<void>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (ms <= 0) return resolve();
        function abandon(): void {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        }
        const sleeper: Sleeper = {
          due: elapsed + ms,
          wake() {
            signal?.removeEventListener("abort", abandon);
            resolve();
          },
        };
        signal?.addEventListener("abort", abandon, { once: true });
        sleepers.add(sleeper);
        tellWatchers();
      });
    },
    async advance(ms) {
      const end = elapsed + ms;
      for (;;) {
        await settle();
        const next = [...sleepers].sort((first, second) => first.due - second.due)[0];
        if (next === undefined || next.due > end) break;
        elapsed = Math.max(elapsed, next.due);
        sleepers.delete(next);
        next.wake();
      }
      elapsed = end;
      await settle();
    },
    get sleeping() {
      return sleepers.size;
    },
    untilSleeping(count) {
      return new Promise<void>((resolve) => {
        watchers.add({ count, reached: resolve });
        tellWatchers();
      });
    },
  };
}
