import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import type { Screen, Screenshot, ScreenshotOptions } from "../../sandbox/screen.ts";
import type { PictureSize } from "../picture/fitted-size.ts";
import { type ActionOutcome, performAction } from "./perform-action.ts";
import type { ScreenAction } from "./screen-action.ts";
import { type Coordinates, type ScreenSpace, screenSpace } from "./screen-space.ts";

/** An action that has been taken. */
export interface ScreenActionEvent {
  /** 1-based, in the order taken. */
  readonly number: number;
  /** When it began, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly wallMs: number;
  readonly action: ScreenAction;
  /** Why it could not be taken; absent when it was. */
  readonly failure?: string;
  /** Programs with windows when it was done, each once, and the one whose window had the focus. */
  readonly programs: readonly string[];
  readonly focus?: string;
  /** Where thumbnails are asked for: just before, and when the screen had come to rest or the next action began. */
  readonly before?: Screenshot;
  readonly after?: Screenshot;
}

export interface ScreenBridgeOptions {
  readonly clock: Clock;
  /** Default `pixels`: those of the pictures the model is sent. */
  readonly coordinates?: Coordinates;
  /** Pictures for the model are scaled down to fit; default 1280 × 800. */
  readonly fit?: PictureSize;
  /** Default PNG. */
  readonly format?: ScreenshotOptions["format"];
  /** Told of each action, in order, when its `after` is there. */
  readonly onAction?: (event: ScreenActionEvent) => void;
  /** Takes thumbnails of this size, without making the agent wait for them. */
  readonly thumbnails?: PictureSize;
}

/** A screen as agents use it: one action at a time, each told of. Disposing waits for the last to be told. */
export interface ScreenBridge extends AsyncDisposable {
  readonly space: ScreenSpace;
  /** Rejects as the screen does, with the signal's reason when aborted. */
  run(action: ScreenAction, signal: AbortSignal): Promise<ActionOutcome>;
}

const usualFit: PictureSize = { width: 1280, height: 800 };
const settleMs = { quietMs: 150, limitMs: 1500 };

export function createScreenBridge(screen: Screen, options: ScreenBridgeOptions): ScreenBridge {
  const { clock, coordinates = "pixels", fit = usualFit, format = "png", onAction, thumbnails } = options;
  const space = screenSpace(screen, { coordinates, fit });
  const pictures = { fit, format };
  let number = 0;
  let last: Promise<unknown> = Promise.resolve();
  let telling: Promise<unknown> = Promise.resolve();
  let begin: () => void = () => undefined;

  async function thumbnail(): Promise<Screenshot | undefined> {
    return thumbnails === undefined
      ? undefined
      : screen.screenshot({ fit: thumbnails, format: "jpeg", quality: 70 });
  }

  /** Tells of an action once the screen is at rest or the next begins. Never rejects: a lost screen has no pictures. */
  async function tell(event: Omit<ScreenActionEvent, "after" | "programs" | "focus">): Promise<void> {
    const next = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const settled = thumbnails === undefined ? undefined : ignoreLoss(screen.quiet(settleMs));
    await Promise.race([next, settled]);
    const [after, windows = []] = await Promise.all([ignoreLoss(thumbnail()), ignoreLoss(screen.windows())]);
    const focus = windows.find((window) => window.focused)?.program;
    onAction?.({
      ...event,
      programs: [...new Set(windows.map((window) => window.program).filter((name) => name !== ""))],
      ...(focus === undefined || focus === "" ? {} : { focus }),
      ...(after === undefined ? {} : { after }),
    });
  }

  async function take(action: ScreenAction, signal: AbortSignal): Promise<ActionOutcome> {
    begin();
    await telling;
    signal.throwIfAborted();
    const before = await ignoreLoss(thumbnail());
    const at = clock.now();
    const from = clock.monotonic();
    let failure: string | undefined;
    try {
      return await performAction(action, { screen, space, clock, pictures, signal });
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      throw error;
    } finally {
      const wallMs = clock.monotonic() - from;
      if (onAction !== undefined) {
        telling = tell({
          number: ++number,
          at,
          wallMs,
          action,
          ...(failure === undefined ? {} : { failure }),
          ...(before === undefined ? {} : { before }),
        });
      }
    }
  }

  return {
    space,
    run(action, signal) {
      const turn = last.then(
        () => take(action, signal),
        () => take(action, signal),
      );
      last = turn;
      return turn;
    },
    async [Symbol.asyncDispose]() {
      await last.catch(() => undefined);
      begin();
      await telling;
    },
  };
}

/** A screen that is lost, or cannot do this, gives nothing; any other failure is ours. */
async function ignoreLoss<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (AleError.isInstance(error)) return undefined;
    throw error;
  }
}
