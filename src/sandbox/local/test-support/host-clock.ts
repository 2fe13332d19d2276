import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../../contract/clock.ts";

/** The host's time, for tests that run real machines. */
export const hostClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    await wait(ms, undefined, signal === undefined ? {} : { signal });
  },
};
