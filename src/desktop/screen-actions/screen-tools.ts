import { z } from "zod";
import type { ScreenRegion } from "../../sandbox/screen.ts";
import { type AgentTool, defineTool, type ToolContent, type ToolOutcome } from "../tools/agent-tool.ts";
import type { ActionOutcome } from "./perform-action.ts";
import type { ScreenAction } from "./screen-action.ts";
import type { ScreenBridge } from "./screen-bridge.ts";

const longestHoldSeconds = 60;
const longestWaitSeconds = 120;
const mostItems = 2000;

export interface ScreenToolsOptions {
  /** Whether what programs tell of themselves may be read. */
  readonly accessibility: boolean;
}

/** The screen as tools, which say themselves how places are told. */
export function screenTools(
  bridge: Pick<ScreenBridge, "space" | "run">,
  { accessibility }: ScreenToolsOptions,
): readonly AgentTool[] {
  const { width, height } = bridge.space.size;
  const places =
    bridge.space.coordinates === "pixels"
      ? `Places are in pixels of the screenshot, which is ${width} wide and ${height} high, from its upper left corner.`
      : "Places are in thousandths of the screen's width and height: 0, 0 is the upper left corner, 1000, 1000 the lower right.";
  const x = z.number().nonnegative().describe("To the right.");
  const y = z.number().nonnegative().describe("Downwards.");
  const point = { x, y };
  const button = z.enum(["left", "middle", "right"]).default("left");
  const modifiers = z
    .array(z.string().min(1))
    .max(8)
    .default([])
    .describe("Keys held meanwhile, such as ctrl or shift.");
  const keys = z
    .string()
    .min(1)
    .describe("A key or a chord: Return, F5, a, ctrl+s, ctrl+shift+t, alt+Tab, Page_Down.");

  function tool<Input>(
    name: string,
    description: string,
    input: z.ZodType<Input>,
    action: (input: Input) => ScreenAction,
  ): AgentTool {
    return defineTool({
      name,
      description,
      input,
      run: async (given, signal) => asOutcome(await bridge.run(action(given), signal)),
    });
  }

  const accessibilityTree = (): AgentTool =>
    tool(
      "accessibility_tree",
      `Lists what the open programs tell assistive programs: buttons, menus, fields and texts, with the middle and size of each. Many programs tell little or nothing, which it says. ${places}`,
      z.strictObject({
        only: z
          .string()
          .min(1)
          .max(200)
          .exactOptional()
          .describe("Part of a program's name or a window's title: only those."),
        max_items: z.int().min(1).max(mostItems).default(300),
      }),
      ({ only, max_items }) => ({
        kind: "accessibility",
        maxItems: max_items,
        ...(only === undefined ? {} : { only }),
      }),
    );

  return [
    tool(
      "screenshot",
      `Shows the screen as it is now, or a part of it enlarged as far as it goes. ${places}`,
      z.strictObject({
        region: z
          .strictObject({ ...point, width: z.number().positive(), height: z.number().positive() })
          .exactOptional()
          .describe("The part to show."),
      }),
      ({ region }) => ({
        kind: "screenshot",
        ...(region === undefined ? {} : { region: region as ScreenRegion }),
      }),
    ),
    tool(
      "click",
      `Moves the pointer there and clicks. ${places}`,
      z.strictObject({ ...point, button, modifiers }),
      ({ x, y, ...rest }) => ({ kind: "click", at: { x, y }, times: 1, ...rest }),
    ),
    tool(
      "double_click",
      `Moves the pointer there and clicks twice, or three times. ${places}`,
      z.strictObject({ ...point, button, modifiers, times: z.int().min(2).max(3).default(2) }),
      ({ x, y, ...rest }) => ({ kind: "click", at: { x, y }, ...rest }),
    ),
    tool("move", `Moves the pointer there without a click. ${places}`, z.strictObject(point), (to) => ({
      kind: "move",
      to,
    })),
    tool(
      "drag",
      `Presses a button at the first place, moves over the others, and releases it at the last. ${places}`,
      z.strictObject({ path: z.array(z.strictObject(point)).min(2).max(100), button, modifiers }),
      (input) => ({ kind: "drag", ...input }),
    ),
    tool(
      "scroll",
      `Turns the wheel over a place. ${places}`,
      z.strictObject({
        ...point,
        direction: z.enum(["up", "down", "left", "right"]),
        notches: z.int().min(1).max(100).default(3),
        modifiers,
      }),
      ({ x, y, direction, notches, modifiers }) => ({
        kind: "scroll",
        at: { x, y },
        x: direction === "right" ? notches : direction === "left" ? -notches : 0,
        y: direction === "down" ? notches : direction === "up" ? -notches : 0,
        modifiers,
      }),
    ),
    tool(
      "type",
      "Types text where the keyboard's focus is, in any script. A new line is the Return key, a tab the Tab key.",
      z.strictObject({ text: z.string().min(1).max(100_000) }),
      ({ text }) => ({ kind: "type", text }),
    ),
    tool(
      "key",
      "Presses a key or a chord and releases it.",
      z.strictObject({ keys, times: z.int().min(1).max(100).default(1) }),
      ({ keys, times }) => ({ kind: "key", chord: keys, times }),
    ),
    tool(
      "hold",
      "Holds a key or a chord down for some time.",
      z.strictObject({ keys, seconds: z.number().positive().max(longestHoldSeconds) }),
      ({ keys, seconds }) => ({ kind: "hold", chord: keys, seconds }),
    ),
    tool(
      "wait",
      "Waits until the screen has come to rest, at most so many seconds; or, with until_quiet false, exactly so many.",
      z.strictObject({
        seconds: z.number().positive().max(longestWaitSeconds).default(10),
        until_quiet: z.boolean().default(true),
      }),
      ({ seconds, until_quiet }) => ({ kind: "wait", seconds, untilQuiet: until_quiet }),
    ),
    tool("cursor", `Tells where the pointer is. ${places}`, z.strictObject({}), () => ({ kind: "cursor" })),
    tool("screen_size", "Tells the screen's size as places are told in it.", z.strictObject({}), () => ({
      kind: "screen_size",
    })),
    tool(
      "clipboard",
      "Reads the clipboard's text, or with text sets it.",
      z.strictObject({ text: z.string().max(1_000_000).exactOptional() }),
      ({ text }) => (text === undefined ? { kind: "read_clipboard" } : { kind: "write_clipboard", text }),
    ),
    tool(
      "windows",
      `Lists the open windows with title, program and place; with focus, brings one to the front instead. ${places}`,
      z.strictObject({
        focus: z.string().min(1).exactOptional().describe("A window's id from the list."),
      }),
      ({ focus }) => (focus === undefined ? { kind: "windows" } : { kind: "focus", window: focus }),
    ),
    ...(accessibility ? [accessibilityTree()] : []),
  ];
}

/** An action's outcome as a tool's. */
function asOutcome({ text, screenshot, data }: ActionOutcome): ToolOutcome {
  const image: readonly ToolContent[] =
    screenshot === undefined
      ? []
      : [
          {
            type: "image",
            mediaType: screenshot.mediaType,
            data: Buffer.from(screenshot.bytes).toString("base64"),
          },
        ];
  return {
    content: [...image, { type: "text", text }],
    failed: false,
    ...(data === undefined ? {} : { data }),
  };
}
