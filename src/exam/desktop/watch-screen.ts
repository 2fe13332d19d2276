import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import type { DisplayState, LostDisplay } from "../../desktop/display-state.ts";
import type { Desktop } from "../../desktop/start-desktop.ts";
import type { Screen } from "../../sandbox/screen.ts";
import type { ScreenEvidence } from "./screen-evidence.ts";

/** Watches whether a screen is still of use, and keeps what it showed last. */
export interface ScreenWatch {
  /** Looks at it now; gives what kept the screen from being seen, when something did. */
  look(): Promise<Error | undefined>;
  /** Resolves once the screen has ended or is locked up; rejects with the signal's reason. */
  untilLost(over: AbortSignal): Promise<LostDisplay>;
  /** Looks for the last time and says how the screen is doing. */
  conclude(): Promise<DisplayState>;
}

export interface ScreenWatchOptions {
  readonly screen: Pick<Screen, "screenshot">;
  /** The display, where it is one of ours on the agent's machine. */
  readonly desktop: Pick<Desktop, "state" | "ended" | "judgeStuck"> | undefined;
  readonly clock: Clock;
  readonly evidence: ScreenEvidence;
}

const picture = { fit: { width: 1280, height: 800 }, format: "jpeg", quality: 75 } as const;
/** From one look to the next. */
const lookEveryMs = 15_000;
/** After a look in vain: one alone may be the doing of a busy machine. */
const lookAgainMs = 1000;
/** A server that is gone says how it ended within this. */
const endToldMs = 5000;

/** A look at a screen that has not changed costs next to nothing. */
export function watchScreen({ screen, desktop, clock, evidence }: ScreenWatchOptions): ScreenWatch {
  let lost: LostDisplay | undefined;

  async function look(): Promise<Error | undefined> {
    try {
      evidence.see(await screen.screenshot(picture), clock.now());
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async function judge(error: Error): Promise<LostDisplay> {
    const stuck = isStuck(error);
    const found: LostDisplay = {
      state: stuck ? "stuck" : "ended",
      by: "itself",
      message: `the screen was lost: ${error.message}`,
    };
    if (desktop === undefined) return found;
    if (stuck) return desktop.judgeStuck().catch(() => found);
    return Promise.race([desktop.ended, clock.sleep(endToldMs).then(() => found)]);
  }

  async function lookAgain(over?: AbortSignal): Promise<Error | undefined> {
    await clock.sleep(lookAgainMs, over);
    return look();
  }

  async function untilUnseen(over: AbortSignal): Promise<LostDisplay> {
    for (;;) {
      await clock.sleep(lookEveryMs, over);
      const error = (await look()) && (await lookAgain(over));
      if (error !== undefined) return judge(error);
    }
  }

  return {
    look,
    async untilLost(over) {
      const unseen = untilUnseen(over);
      lost = await (desktop === undefined ? unseen : Promise.race([desktop.ended, unseen]));
      return lost;
    },
    async conclude() {
      if (lost !== undefined && (lost.state === "ended" || lost.by === "itself")) return lost;
      const first = await look();
      const error = first !== undefined && isStuck(first) ? await lookAgain() : first;
      if (error !== undefined) return judge(error);
      return desktop?.state() ?? { state: "running" };
    },
  };
}

function isStuck(error: Error): boolean {
  return AleError.isInstance(error) && error.code === "screen-stuck";
}
