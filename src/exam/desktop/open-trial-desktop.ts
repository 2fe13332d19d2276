import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { TrialEventBody } from "../../contract/trial-event.ts";
import {
  type AccessibilityReader,
  readAccessibilityTree,
} from "../../desktop/accessibility/read-accessibility-tree.ts";
import { actionData } from "../../desktop/recording/action-data.ts";
import { openActionRecord } from "../../desktop/recording/open-action-record.ts";
import { createScreenBridge } from "../../desktop/screen-actions/create-screen-bridge.ts";
import type { ScreenActionEvent, ScreenBridge } from "../../desktop/screen-actions/screen-bridge.ts";
import { type Desktop, startDesktop } from "../../desktop/start-desktop.ts";
import { startSessionOn } from "../../desktop/start-session-on.ts";
import { createScreenView } from "../../desktop/view/create-screen-view.ts";
import { showScreen } from "../../desktop/view/show-screen.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { Screen, Screenshot } from "../../sandbox/screen.ts";
import type { ScreenEvidence } from "./screen-evidence.ts";
import { type ScreenWatch, watchScreen } from "./watch-screen.ts";

/** The screen of a trial whose task is done at one. Disposing of it ends the display and completes its record. */
export interface TrialDesktop extends AsyncDisposable {
  readonly screen: Screen;
  readonly bridge: ScreenBridge;
  /** For every command of the agent, so that its programs show on it. */
  readonly env: Readonly<Record<string, string>>;
  readonly fingerprint: JsonValue;
  readonly watch: ScreenWatch;
}

export interface TrialDesktopOptions {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  /** Host folder of the attempt, for the timeline of actions and its pictures. */
  readonly record: string;
  readonly note: (event: Extract<TrialEventBody, { type: "agent" | "note" }>) => void;
  /** Whether the contestant may read what programs tell assistive programs. */
  readonly accessibility: boolean;
  /** Where it is shown to those who look on. */
  readonly socket: string;
  /** Shown what the screen shows, from before it is of use to the end. */
  readonly evidence: ScreenEvidence;
}

/** For the window manager of a machine's own screen: an emulated machine takes its time. */
const sessionMs = 120_000;

/** Of the pictures before and after each action, in pixels. */
const thumbnails = { width: 640, height: 400 };

/** Who looks on gets a few frames a second, and takes a tenth of the time at most. */
const watching = { restMs: 200, share: 0.1 };

/** The machine's own screen where its provider drives one, else a display started on it. */
export async function openTrialDesktop(options: TrialDesktopOptions): Promise<TrialDesktop> {
  const { sandbox, clock, record, note, evidence, accessibility } = options;
  const onFailure = (shot: Screenshot): void => evidence.see(shot, clock.now());
  await using opening = new AsyncDisposableStack();
  const own = sandbox.screen === undefined ? undefined : opening.use(await sandbox.screen());
  const started =
    own === undefined ? opening.use(await startDesktop(sandbox, { onFailure, accessibility })) : undefined;
  const screen = own ?? started?.screen;
  const session =
    own?.isBare === true && own.env !== undefined
      ? opening.use(
          await startSessionOn(own, sandbox, {
            ...{ display: own.env, accessibility: false, limitMs: sessionMs, clock },
          }),
        )
      : undefined;
  if (screen === undefined) throw new RangeError("a desktop has a screen");
  const actions = openActionRecord({ folder: record });
  opening.defer(async () => {
    const { linesLeftOut, picturesLeftOut } = await actions.close();
    if (linesLeftOut + picturesLeftOut === 0) return;
    const message = `left out of the record of the screen: ${linesLeftOut} lines, ${picturesLeftOut} pictures`;
    note({ type: "note", code: "screen-record-full", message });
  });
  const onAction = (event: ScreenActionEvent): void => {
    actions.add(event);
    const shot = event.after ?? event.before;
    if (shot !== undefined) evidence.see(shot, event.at + event.wallMs);
    note({ type: "agent", kind: `screen.${event.action.kind}`, data: { ...actionData(event) } });
  };
  const watch = watchScreen({ screen, desktop: started, clock, evidence });
  const unseen = await watch.look();
  if (unseen !== undefined) throw unseen;
  const reader = accessibility ? { accessibility: readerOf(sandbox, started) } : {};
  const bridge = opening.use(createScreenBridge(screen, { clock, thumbnails, onAction, ...reader }));
  opening.use(await showToWatchers(screen, options));
  const held = opening.move();
  const { width, height } = screen;
  return {
    screen,
    bridge,
    env: started?.env ?? session?.env ?? own?.env ?? {},
    fingerprint: started?.fingerprint ?? { server: sandbox.provider, width, height },
    watch,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Asks the programs of a desktop of ours; those on a screen that its machine has of itself cannot be asked. */
function readerOf(sandbox: Sandbox, desktop: Desktop | undefined): AccessibilityReader {
  if (desktop !== undefined) {
    return (asked) => readAccessibilityTree(sandbox, { env: desktop.env, ...asked });
  }
  const reason = `programs on the screen of a machine of ${sandbox.provider} are not asked`;
  return async () => ({ state: "absent", reason });
}

/** Lets the screen be watched. Where that cannot be, it is noted and the trial goes on. */
async function showToWatchers(
  screen: Screen,
  { clock, socket, note }: TrialDesktopOptions,
): Promise<AsyncDisposable> {
  const over = new AbortController();
  const view = createScreenView({ screen, clock, over: over.signal, ...watching });
  const shown = await showScreen(view, socket).catch((error: unknown) => {
    if (!AleError.isInstance(error)) throw error;
    note({ type: "note", code: error.code, message: error.message });
    return undefined;
  });
  return {
    async [Symbol.asyncDispose]() {
      over.abort();
      await shown?.[Symbol.asyncDispose]();
    },
  };
}
