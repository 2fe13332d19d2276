import type { Clock } from "../../src/contract/clock.ts";
import { hostClock } from "../../src/sandbox/local/test-support/host-clock.ts";

/** The host's clock for whoever asks the time; who sleeps wakes after a twentieth of it. */
export const quickClock: Clock = {
  now: () => hostClock.now(),
  monotonic: () => hostClock.monotonic(),
  sleep: (ms, signal) => hostClock.sleep(ms / 20, signal),
};
