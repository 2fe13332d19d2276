import { z } from "zod";
import type { ScreenAction } from "../screen-actions/screen-action.ts";

const coordinate = z.tuple([z.number(), z.number()]).transform(([x, y]) => ({ x, y }));
const held = { text: z.string().exactOptional() };
const seconds = z.number().nonnegative().max(120);

const clicks = {
  left_click: { button: "left", times: 1 },
  right_click: { button: "right", times: 1 },
  middle_click: { button: "middle", times: 1 },
  double_click: { button: "left", times: 2 },
  triple_click: { button: "left", times: 3 },
} as const;

/**
 * The input of Anthropic's computer tool (`computer_20250124`; `zoom` is of `computer_20251124`) as an action of ours.
 * Its coordinates are pixels of the declared display.
 */
export const anthropicActionSchema: z.ZodType<ScreenAction> = z.discriminatedUnion("action", [
  z.object({ action: z.literal("screenshot") }).transform((): ScreenAction => ({ kind: "screenshot" })),
  z.object({ action: z.literal("cursor_position") }).transform((): ScreenAction => ({ kind: "cursor" })),
  z
    .object({ action: z.literal("mouse_move"), coordinate })
    .transform((input): ScreenAction => ({ kind: "move", to: input.coordinate })),
  z
    .object({
      action: z.enum(["left_click", "right_click", "middle_click", "double_click", "triple_click"]),
      coordinate: coordinate.exactOptional(),
      ...held,
    })
    .transform(
      (input): ScreenAction => ({
        kind: "click",
        ...clicks[input.action],
        ...(input.coordinate === undefined ? {} : { at: input.coordinate }),
        modifiers: modifiersOf(input.text),
      }),
    ),
  z
    .object({
      action: z.literal("left_click_drag"),
      start_coordinate: coordinate.exactOptional(),
      coordinate,
      ...held,
    })
    .transform(
      (input): ScreenAction => ({
        kind: "drag",
        path:
          input.start_coordinate === undefined
            ? [input.coordinate]
            : [input.start_coordinate, input.coordinate],
        button: "left",
        modifiers: modifiersOf(input.text),
      }),
    ),
  z.object({ action: z.enum(["left_mouse_down", "left_mouse_up"]) }).transform(
    (input): ScreenAction => ({
      kind: "button",
      button: "left",
      action: input.action === "left_mouse_down" ? "down" : "up",
    }),
  ),
  z
    .object({
      action: z.literal("scroll"),
      coordinate: coordinate.exactOptional(),
      scroll_direction: z.enum(["up", "down", "left", "right"]),
      scroll_amount: z.int().nonnegative().max(100),
      ...held,
    })
    .transform((input): ScreenAction => {
      const amount = input.scroll_amount;
      const direction = input.scroll_direction;
      return {
        kind: "scroll",
        ...(input.coordinate === undefined ? {} : { at: input.coordinate }),
        x: direction === "right" ? amount : direction === "left" ? -amount : 0,
        y: direction === "down" ? amount : direction === "up" ? -amount : 0,
        modifiers: modifiersOf(input.text),
      };
    }),
  z
    .object({ action: z.literal("type"), text: z.string().min(1) })
    .transform((input): ScreenAction => ({ kind: "type", text: input.text })),
  z
    .object({
      action: z.literal("key"),
      text: z.string().min(1),
      repeat: z.int().min(1).max(100).exactOptional(),
    })
    .transform((input): ScreenAction => ({ kind: "key", chord: input.text, times: input.repeat ?? 1 })),
  z
    .object({ action: z.literal("hold_key"), text: z.string().min(1), duration: seconds })
    .transform((input): ScreenAction => ({ kind: "hold", chord: input.text, seconds: input.duration })),
  z
    .object({ action: z.literal("wait"), duration: seconds })
    .transform((input): ScreenAction => ({ kind: "wait", seconds: input.duration, untilQuiet: false })),
  z
    .object({ action: z.literal("zoom"), region: z.tuple([z.number(), z.number(), z.number(), z.number()]) })
    .transform((input): ScreenAction => {
      const [left, top, right, bottom] = input.region;
      return {
        kind: "screenshot",
        region: { x: left, y: top, width: right - left, height: bottom - top },
      };
    }),
]);

function modifiersOf(text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : text.split("+").map((key) => key.trim());
}
