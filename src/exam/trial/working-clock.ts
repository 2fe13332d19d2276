import type { Clock } from "../../contract/clock.ts";

/** Time of the agent phase with the waits that are not the contestant's, such as rate limits, taken out. */
export interface WorkingClock {
  /** Stands still from now until the pause is disposed of. Pauses may overlap. */
  pause(): Disposable;
  /** Working time so far, in milliseconds. */
  elapsedMs(): number;
  /** Resolves when so much working time has passed; rejects with the signal's reason when it aborts first. */
  until(workingMs: number, signal: AbortSignal): Promise<void>;
}

/** Shortest sleep while paused, when the end of the pause cannot be known, in milliseconds. */
const pollMs = 1000;

/** Starts now. */
export function createWorkingClock(clock: Clock): WorkingClock {
  const startedAt = clock.monotonic();
  let pauses = 0;
  let pausedAt = 0;
  let pausedMs = 0;

  function elapsedMs(): number {
    const until = pauses > 0 ? pausedAt : clock.monotonic();
    return until - startedAt - pausedMs;
  }

  return {
    elapsedMs,
    pause() {
      if (pauses++ === 0) pausedAt = clock.monotonic();
      let open = true;
      return {
        [Symbol.dispose]() {
          if (!open) return;
          open = false;
          if (--pauses === 0) pausedMs += clock.monotonic() - pausedAt;
        },
      };
    },
    async until(workingMs, signal) {
      for (let left = workingMs - elapsedMs(); left > 0; left = workingMs - elapsedMs()) {
        await clock.sleep(Math.max(left, pauses > 0 ? pollMs : 0), signal);
      }
    },
  };
}
