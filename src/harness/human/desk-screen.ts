import type { Clock } from "../../contract/clock.ts";
import type { ScreenInput } from "../../contract/screen-input.ts";
import type { DeskScreen } from "../../contract/sitting-desk.ts";
import type { ScreenBridge } from "../../desktop/screen-actions/screen-bridge.ts";
import { createScreenView } from "../../desktop/view/create-screen-view.ts";
import type { Screen } from "../../sandbox/screen.ts";

export interface DeskScreenOptions {
  readonly screen: Screen;
  /** Takes what is done into the record of the screen. */
  readonly bridge: ScreenBridge;
  readonly clock: Clock;
  /** Aborted when the work is over. */
  readonly over: AbortSignal;
}

/** Short: whoever works at it sees what their hands do. */
const restMs = 40;

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
    ...createScreenView({ screen, clock, over, restMs }),
    act(inputs) {
      const turn = last.then(async () => {
        for (const input of inputs) await take(input);
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
