import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../contract/clock.ts";

/** The machine's clock. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    async sleep(ms, signal) {
      try {
        await delay(ms, undefined, signal === undefined ? {} : { signal });
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
  };
}
