import type { Clock } from "../../contract/clock.ts";

/** Time of the agent phase with the waits that are not the contestant's, such as rate limits, taken out. */
export interface WorkingClock {
  /**
   * Stands still from now until the pause is disposed of. Pauses may overlap.
   * @param forMs it has stood still for so many milliseconds already, as is known only now.
   */
  pause(forMs?: number): Disposable;
  /** Working time so far, in milliseconds. */
  elapsedMs(): number;
  /** Resolves when so much working time has passed; rejects with the signal's reason when it aborts first. */
  until(workingMs: number, signal: AbortSignal): Promise<void>;
}

/** Shortest sleep while paused, when the end of the pause cannot be known, in milliseconds. */
const pollMs = 1000;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Starts now. */
export function createWorkingClock(clock: Clock): WorkingClock {
  const startedAt = clock.monotonic();
  let pauses = 0;
  let pausedAt = 0;
  /** Pauses that are over; none overlap. */
  let spans: readonly Span[] = [];

  function elapsedMs(): number {
    const until = pauses > 0 ? pausedAt : clock.monotonic();
    const paused = spans.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, until) - from), 0);
    return until - startedAt - paused;
  }

  return {
    elapsedMs,
    pause(forMs = 0) {
      const from = Math.max(startedAt, clock.monotonic() - forMs);
      pausedAt = pauses++ === 0 ? from : Math.min(pausedAt, from);
      let open = true;
      return {
        [Symbol.dispose]() {
          if (!open) return;
          open = false;
          if (--pauses === 0) spans = withSpan(spans, { from: pausedAt, to: clock.monotonic() });
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

/** Spans that overlap the new one become one with it. */
function withSpan(spans: readonly Span[], added: Span): readonly Span[] {
  const apart = ({ from, to }: Span): boolean => to < added.from || from > added.to;
  const joined = [added, ...spans.filter((span) => !apart(span))];
  return [
    ...spans.filter(apart),
    { from: Math.min(...joined.map(({ from }) => from)), to: Math.max(...joined.map(({ to }) => to)) },
  ];
}
