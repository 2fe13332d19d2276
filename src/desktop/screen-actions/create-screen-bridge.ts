import { AleError } from "../../contract/ale-error.ts";
import type { PictureSize } from "../../sandbox/frame/fitted-size.ts";
import type { Screen, Screenshot } from "../../sandbox/screen.ts";
import { type ActionOutcome, performAction } from "./perform-action.ts";
import type { ScreenAction } from "./screen-action.ts";
import type { ScreenActionEvent, ScreenBridge, ScreenBridgeOptions } from "./screen-bridge.ts";
import { screenSpace } from "./screen-space.ts";
import { screenTools } from "./screen-tools.ts";

const usualFit: PictureSize = { width: 1280, height: 800 };
const settleMs = { quietMs: 150, limitMs: 1500 };

/** A bridge to a screen. The screen stays its maker's to dispose of. */
export function createScreenBridge(screen: Screen, options: ScreenBridgeOptions): ScreenBridge {
  const {
    clock,
    coordinates = "pixels",
    fit = usualFit,
    format = "png",
    onAction,
    thumbnails,
    accessibility,
  } = options;
  const reader = accessibility === undefined ? {} : { accessibility };
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
      return await performAction(action, { screen, space, clock, pictures, signal, ...reader });
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

  function run(action: ScreenAction, signal: AbortSignal): Promise<ActionOutcome> {
    const turn = last.then(
      () => take(action, signal),
      () => take(action, signal),
    );
    last = turn;
    return turn;
  }

  return {
    space,
    run,
    tools: screenTools({ space, run }, { accessibility: accessibility !== undefined }),
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
