import type { Clock } from "../../contract/clock.ts";
import type { ScreenInput } from "../../contract/screen-input.ts";
import type { DeskScreen } from "../../contract/sitting-desk.ts";
import type { ScreenBridge } from "../../desktop/screen-actions/screen-bridge.ts";
import type { Screen } from "../../sandbox/screen.ts";

export interface DeskScreenOptions {
  readonly screen: Screen;
  /** Takes what is done into the record of the screen. */
  readonly bridge: ScreenBridge;
  readonly clock: Clock;
  /** Aborted when the work is over. */
  readonly over: AbortSignal;
}

/** Between two looks at a screen that has not changed, which cost next to nothing. */
const lookMs = 40;
const patienceMs = 10_000;
const jpegQuality = 75;

/** A screen for a person. Everything but the pointer's ways is recorded as an action, as it is for any contestant. */
export function createDeskScreen({ screen, bridge, clock, over }: DeskScreenOptions): DeskScreen {
  let last: Promise<void> = Promise.resolve();

  async function take(input: ScreenInput): Promise<void> {
    if (input.kind === "move") {
      const x = Math.min(input.x, screen.width - 1);
      const y = Math.min(input.y, screen.height - 1);
      await screen.move({ x, y });
      return;
    }
    await bridge.run(input.kind === "key" ? { ...input, times: 1 } : input, over);
  }

  return {
    width: screen.width,
    height: screen.height,
    async frame(after, asked) {
      const signal = AbortSignal.any([over, asked]);
      const until = clock.monotonic() + patienceMs;
      while (!signal.aborted && clock.monotonic() < until) {
        const { bytes, revision } = await screen.screenshot({ format: "jpeg", quality: jpegQuality });
        if (revision !== after) return { bytes, revision };
        await clock.sleep(lookMs);
      }
      return undefined;
    },
    act(inputs) {
      const turn = last.then(async () => {
        for (const input of inputs) await take(input);
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
