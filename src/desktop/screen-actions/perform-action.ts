import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { Screen, ScreenPoint, Screenshot, ScreenshotOptions } from "../../sandbox/screen.ts";
import { describeAccessibility } from "../accessibility/describe-accessibility.ts";
import type { AccessibilityReader } from "../accessibility/read-accessibility-tree.ts";
import { parseChord } from "../keys/parse-chord.ts";
import type { ScreenAction } from "./screen-action.ts";
import type { ScreenSpace } from "./screen-space.ts";

/** What an action gave: words for the model, and what was asked for. */
export interface ActionOutcome {
  readonly text: string;
  readonly screenshot?: Screenshot;
  readonly data?: { readonly [key: string]: JsonValue };
}

export interface ActionContext {
  readonly screen: Screen;
  readonly space: ScreenSpace;
  readonly clock: Clock;
  /** Of screenshots for the model. */
  readonly pictures: Pick<ScreenshotOptions, "fit" | "format" | "quality">;
  /** Absent where programs were not asked to tell what they show. */
  readonly accessibility?: AccessibilityReader;
  readonly signal: AbortSignal;
}

/** Programs tell a drag from a click by its motions, which a hand makes many of. */
const dragStepPixels = 24;
const mostDragSteps = 40;
const dragStepMs = 8;
const restMs = 300;

/** Does it, in order, and lets go of whatever it held even when it fails. Rejects as the screen does. */
export async function performAction(action: ScreenAction, context: ActionContext): Promise<ActionOutcome> {
  const { screen, space, clock, signal } = context;
  switch (action.kind) {
    case "screenshot": {
      const region = action.region === undefined ? {} : { region: space.regionToScreen(action.region) };
      const screenshot = await screen.screenshot({ ...context.pictures, ...region });
      return { text: `screenshot, ${screenshot.width} × ${screenshot.height} pixels`, screenshot };
    }
    case "click": {
      if (action.at !== undefined) await screen.move(space.toScreen(action.at));
      await holding(screen, action.modifiers ?? [], async () => {
        for (let click = 0; click < action.times; click++) {
          await screen.button(action.button, "down");
          await screen.button(action.button, "up");
        }
      });
      return { text: "clicked" };
    }
    case "button":
      await screen.button(action.button, action.action);
      return { text: `${action.button} button ${action.action}` };
    case "move":
      await screen.move(space.toScreen(action.to));
      return { text: "moved" };
    case "drag":
      await drag(action, context);
      return { text: "dragged" };
    case "scroll":
      if (action.at !== undefined) await screen.move(space.toScreen(action.at));
      await holding(screen, action.modifiers ?? [], () => screen.scroll({ x: action.x, y: action.y }));
      return { text: "scrolled" };
    case "type":
      await screen.type(action.text);
      return { text: `typed ${[...action.text].length} characters` };
    case "key":
      for (let press = 0; press < action.times; press++) {
        await holding(screen, parseChord(action.chord), async () => undefined);
      }
      return { text: `pressed ${action.chord}` };
    case "hold":
      await holding(screen, parseChord(action.chord), () => clock.sleep(action.seconds * 1000, signal));
      return { text: `held ${action.chord} for ${action.seconds} s` };
    case "wait":
      return { text: await rest(action, context) };
    case "cursor": {
      const { x, y } = space.fromScreen(await screen.cursor());
      return { text: `the pointer is at ${x}, ${y}`, data: { x, y } };
    }
    case "screen_size": {
      const { width, height } = space.size;
      return { text: `the screen is ${width} wide and ${height} high`, data: { width, height } };
    }
    case "read_clipboard": {
      const text = await screen.readClipboard();
      return { text: text === "" ? "the clipboard is empty" : text, data: { text } };
    }
    case "write_clipboard":
      await screen.writeClipboard(action.text);
      return { text: "the clipboard is set" };
    case "windows":
      return windowsOf(context);
    case "accessibility":
      return accessibilityOf(action, context);
    case "focus":
      await screen.focus(action.window);
      return { text: "the window has the focus" };
  }
}

/** Presses the keys in order, works, and releases in reverse those that went down. */
async function holding(screen: Screen, keys: readonly string[], work: () => Promise<unknown>): Promise<void> {
  const down: string[] = [];
  try {
    for (const key of keys) {
      await screen.key(key, "down");
      down.push(key);
    }
    await work();
  } finally {
    for (const key of down.reverse()) await screen.key(key, "up");
  }
}

async function drag(
  action: Extract<ScreenAction, { kind: "drag" }>,
  { screen, space, clock, signal }: ActionContext,
): Promise<void> {
  const places = action.path.map((point) => space.toScreen(point));
  const [start = await screen.cursor(), ...rest] = places.length > 1 ? places : [undefined, ...places];
  await screen.move(start);
  await holding(screen, action.modifiers ?? [], async () => {
    await screen.button(action.button, "down");
    try {
      let from = start;
      for (const to of rest) {
        for (const step of stepsBetween(from, to as ScreenPoint)) {
          await clock.sleep(dragStepMs, signal);
          await screen.move(step);
        }
        from = to as ScreenPoint;
      }
    } finally {
      await screen.button(action.button, "up");
    }
  });
}

/** Points on the way, the last included, the first not. */
function stepsBetween(from: ScreenPoint, to: ScreenPoint): readonly ScreenPoint[] {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const count = Math.min(mostDragSteps, Math.max(2, Math.ceil(length / dragStepPixels)));
  return Array.from({ length: count }, (_, index) => {
    const part = (index + 1) / count;
    return {
      x: Math.round(from.x + (to.x - from.x) * part),
      y: Math.round(from.y + (to.y - from.y) * part),
    };
  });
}

async function rest(
  { seconds, untilQuiet }: Extract<ScreenAction, { kind: "wait" }>,
  { screen, clock, signal }: ActionContext,
): Promise<string> {
  if (untilQuiet) {
    const isQuiet = await screen.quiet({ quietMs: restMs, limitMs: seconds * 1000 });
    return isQuiet ? "the screen is at rest" : `the screen was still changing after ${seconds} s`;
  }
  await clock.sleep(seconds * 1000, signal);
  return `waited ${seconds} s`;
}

async function windowsOf({ screen, space }: ActionContext): Promise<ActionOutcome> {
  const windows = (await screen.windows()).map(({ id, title, program, focused, ...place }) => {
    const { x, y } = space.fromScreen(place);
    const end = space.fromScreen({ x: place.x + place.width, y: place.y + place.height });
    return { id, title, program, focused, x, y, width: end.x - x, height: end.y - y };
  });
  const lines = windows.map(
    ({ id, title, program, focused, x, y, width, height }) =>
      `${id}${focused ? " (focused)" : ""}: ${title} [${program}] at ${x}, ${y}, ${width} × ${height}`,
  );
  const text = lines.length === 0 ? "no window is open" : `topmost last:\n${lines.join("\n")}`;
  return { text, data: { windows } };
}

/** Long texts are the files' own, and there to be read. */
const longestItemText = 200;

async function accessibilityOf(
  { maxItems, only }: Extract<ScreenAction, { kind: "accessibility" }>,
  { screen, space, accessibility, signal }: ActionContext,
): Promise<ActionOutcome> {
  if (accessibility === undefined) {
    throw new AleError({
      code: "screen-unsupported",
      message: "What programs tell of themselves is not read here.",
      remedy: "A contestant with the setting accessibility: true is given it.",
    });
  }
  const wanted = only === undefined ? {} : { only };
  const tree = await accessibility({ maxNodes: maxItems, maxText: longestItemText, signal, ...wanted });
  return { text: describeAccessibility(tree, { windows: await screen.windows(), space, ...wanted }) };
}
