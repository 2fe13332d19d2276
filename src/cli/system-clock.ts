import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../contract/clock.ts";

/** Longest time that the runtime's timers take, in milliseconds; of a longer one they make 1 ms. */
const longestTimer = 2 ** 31 - 1;

/** The machine's clock. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    async sleep(ms, signal) {
      try {
        for (let left = ms; ; left -= longestTimer) {
          await delay(Math.min(left, longestTimer), undefined, signal === undefined ? {} : { signal });
          if (left <= longestTimer) return;
        }
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
  };
}
