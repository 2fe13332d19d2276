import type { Clock } from "../../contract/clock.ts";
import type { ScreenFrame, ScreenView } from "../../contract/screen-view.ts";
import type { Screen } from "../../sandbox/screen.ts";

export interface ScreenViewOptions {
  readonly screen: Pick<Screen, "width" | "height" | "screenshot">;
  readonly clock: Clock;
  /** Aborted when there is nothing to be seen any more. */
  readonly over: AbortSignal;
  /** From the end of one look to the next, in milliseconds, however many ask. A look at a still screen costs next to nothing. */
  readonly restMs: number;
  /** Most of the time that may go into looking, above 0 and at most 1: after a slow look it rests the longer. Default 1. */
  readonly share?: number;
}

const patienceMs = 10_000;
const jpegQuality = 75;

/** A view of a screen. All who ask at one time get the same look, so that many cost no more than one. */
export function createScreenView(options: ScreenViewOptions): ScreenView {
  const { screen, clock, over, restMs, share = 1 } = options;
  let looking: Promise<ScreenFrame> | undefined;
  let next = 0;

  async function take(): Promise<ScreenFrame> {
    const rest = next - clock.monotonic();
    if (rest > 0) await clock.sleep(rest, over);
    over.throwIfAborted();
    const from = clock.monotonic();
    const { bytes, revision } = await screen.screenshot({ format: "jpeg", quality: jpegQuality });
    const to = clock.monotonic();
    next = to + Math.max(restMs, (to - from) * (1 / share - 1));
    return { bytes, revision };
  }

  function look(): Promise<ScreenFrame> {
    looking ??= take().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  return {
    width: screen.width,
    height: screen.height,
    async frame(after, asked) {
      const until = clock.monotonic() + patienceMs;
      while (!over.aborted && !asked.aborted && clock.monotonic() < until) {
        try {
          const frame = await look();
          if (frame.revision !== after) return frame;
        } catch (error) {
          if (!over.aborted) throw error;
        }
      }
      return undefined;
    },
  };
}
