import { z } from "zod";
import type { ScreenAction } from "../screen-actions/screen-action.ts";

const place = { x: z.number(), y: z.number() };
/** Newer models name keys held during an action of the pointer. */
const held = { keys: z.array(z.string().min(1)).nullish() };

/** What browsers scroll for one notch of a wheel, near enough. */
const pixelsPerNotch = 100;
const restSeconds = 2;

const buttons = { left: "left", right: "right", wheel: "middle" } as const;

/** An action of OpenAI's computer tool (`computer_call`) as one of ours. Its places are pixels of the declared display. */
export const openaiActionSchema: z.ZodType<ScreenAction> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("screenshot") }).transform((): ScreenAction => ({ kind: "screenshot" })),
  z
    .object({
      type: z.literal("click"),
      button: z.enum(["left", "right", "wheel"]).default("left"),
      ...place,
      ...held,
    })
    .transform(
      ({ x, y, button, keys }): ScreenAction => ({
        kind: "click",
        at: { x, y },
        button: buttons[button],
        times: 1,
        modifiers: keys ?? [],
      }),
    ),
  z.object({ type: z.literal("double_click"), ...place, ...held }).transform(
    ({ x, y, keys }): ScreenAction => ({
      kind: "click",
      at: { x, y },
      button: "left",
      times: 2,
      modifiers: keys ?? [],
    }),
  ),
  z
    .object({ type: z.literal("move"), ...place })
    .transform(({ x, y }): ScreenAction => ({ kind: "move", to: { x, y } })),
  z
    .object({ type: z.literal("drag"), path: z.array(z.object(place)).min(2), ...held })
    .transform(
      ({ path, keys }): ScreenAction => ({ kind: "drag", path, button: "left", modifiers: keys ?? [] }),
    ),
  z
    .object({ type: z.literal("scroll"), ...place, scroll_x: z.number(), scroll_y: z.number(), ...held })
    .transform(
      ({ x, y, scroll_x, scroll_y, keys }): ScreenAction => ({
        kind: "scroll",
        at: { x, y },
        x: notchesOf(scroll_x),
        y: notchesOf(scroll_y),
        modifiers: keys ?? [],
      }),
    ),
  z
    .object({ type: z.literal("type"), text: z.string() })
    .transform(({ text }): ScreenAction => ({ kind: "type", text })),
  z
    .object({ type: z.literal("keypress"), keys: z.array(z.string().min(1)).min(1) })
    .transform(({ keys }): ScreenAction => ({ kind: "key", chord: keys.map(unshifted).join("+"), times: 1 })),
  z
    .object({ type: z.literal("wait") })
    .transform((): ScreenAction => ({ kind: "wait", seconds: restSeconds, untilQuiet: false })),
]);

/** Letters come as capitals; SHIFT is a key of its own. */
function unshifted(key: string): string {
  return /^[A-Z]$/.test(key) ? key.toLowerCase() : key;
}

/** At least one where anything is scrolled at all. */
function notchesOf(pixels: number): number {
  return Math.sign(pixels) * Math.ceil(Math.abs(pixels) / pixelsPerNotch);
}
