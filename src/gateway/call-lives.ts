import type { Clock } from "../contract/clock.ts";
import type { CallLife } from "./calls/trial-session.ts";

/** The calls of a trial, from their beginning to their end. */
export interface CallLives {
  /** How many there are. */
  readonly count: number;
  /** @param isOwed true as long as only its answer can tell whose failure it is that its client has left. */
  begin(isOwed: () => boolean): CallLife;
  /**
   * Breaks off what is under way, and all that begins from now on, but for calls that are owed an answer: these are looked
   * at anew every `everyMs`, until there are none or nobody waits for them any more.
   * @param until absent = none is waited for.
   */
  breakOff(everyMs: number, until?: AbortSignal): Promise<void>;
}

interface Life {
  readonly isOwed: () => boolean;
  readonly end: AbortController;
}

/** Shortest time between two looks, in milliseconds. */
const shortestMs = 1000;

export function createCallLives(clock: Clock): CallLives {
  const lives = new Set<Life>();
  let isOver = false;

  function end(which: (life: Life) => boolean): void {
    for (const life of lives) {
      if (!which(life)) continue;
      lives.delete(life);
      life.end.abort(new DOMException("the trial was closed", "AbortError"));
    }
  }

  return {
    get count() {
      return lives.size;
    },
    begin(isOwed) {
      const life = { isOwed, end: new AbortController() };
      lives.add(life);
      if (isOver) end((one) => one === life);
      return { over: life.end.signal, [Symbol.dispose]: () => void lives.delete(life) };
    },
    async breakOff(everyMs, until) {
      isOver = true;
      const isWaitedFor = (): boolean => until !== undefined && !until.aborted;
      for (;;) {
        end(({ isOwed }) => !isWaitedFor() || !isOwed());
        if (lives.size === 0) return;
        await clock.sleep(Math.max(everyMs, shortestMs), until).catch((error: unknown) => {
          if (isWaitedFor()) throw error;
        });
      }
    },
  };
}
