import { describe, expect, test } from "vitest";
import { known, unknown } from "../../contract/absence.ts";
import { callChannel } from "../../contract/call-channel.ts";
import { channelUseSchema } from "../../contract/channel-use.ts";
import type { ScreenActionLine } from "../../contract/screen-action-line.ts";
import { channelUse } from "./channel-use.ts";

function action(number: number, kind: string, focus?: string, failure?: string): ScreenActionLine {
  return {
    number,
    at: number * 1000,
    wallMs: 5,
    action: { kind },
    programs: ["libreoffice-calc", "XTerm"],
    ...(focus === undefined ? {} : { focus }),
    ...(failure === undefined ? {} : { failure }),
  };
}

function step(second: number, ...tools: string[]) {
  return {
    timestamp: new Date(second * 1000).toISOString(),
    tool_calls: tools.map((function_name, index) => ({
      tool_call_id: `${second}-${index}`,
      function_name,
      arguments: {},
    })),
  };
}

describe("the channel of a tool", () => {
  test.each([
    ["Bash", "shell"],
    ["shell", "shell"],
    ["exec_command", "shell"],
    ["run_shell_command", "shell"],
    ["mcp__ale-machine__run", "shell"],
    ["mcp__ale-screen__click", "screen"],
    ["mcp__screen__type", "screen"],
    ["accessibility_tree", "screen"],
    ["mcp__ale-screen__accessibility_tree", "screen"],
    ["screen.type", "screen"],
    ["mcp__machine__run", "shell"],
    ["ale_screen_key", "screen"],
    ["screen.click", "screen"],
    ["human.run", "shell"],
    ["mcp__desktop__left_click", "screen"],
    ["mcp__playwright__browser_navigate", "screen"],
    ["computer_use.screenshot", "screen"],
    ["computer", "screen"],
    ["screenshot", "screen"],
    ["Read", "file"],
    ["MultiEdit", "file"],
    ["apply_patch", "file"],
    ["mcp__ale-machine__write_file", "file"],
    ["WebFetch", "network"],
    ["web_search", "network"],
    ["TodoWrite", "other"],
    ["update_plan", "other"],
  ])("%s is %s", (tool, channel) => {
    expect(callChannel(tool)).toBe(channel);
  });
});

describe("the use of channels", () => {
  const steps = unknown("no trajectory");

  test("calls and time are shared out, evenly within a step", () => {
    const steps = [step(0, "Bash"), step(6, "mcp__ale-screen__click", "Read"), step(10)];
    const { channels } = channelUse({ steps: known(steps), actions: [] });
    expect(channels.shell).toEqual({
      calls: 1,
      share: known(1 / 3),
      seconds: known(6),
      timeShare: known(0.6),
    });
    expect(channels.screen).toEqual({
      calls: 1,
      share: known(1 / 3),
      seconds: known(2),
      timeShare: known(0.2),
    });
    expect(channels.network).toEqual({ calls: 0, share: known(0), seconds: known(0), timeShare: known(0) });
  });

  test("without calls, or without times, shares are absent and not zero", () => {
    const silent = channelUse({ steps: known([]), actions: [] });
    expect(silent.channels.shell.share).toEqual(unknown("no tool was called"));
    const untold = unknown("no trajectory");
    expect(channelUse({ steps: untold, actions: [] }).channels.shell).toEqual({
      calls: 0,
      share: untold,
      seconds: untold,
      timeShare: untold,
    });
    const untimed = channelUse({ steps: known([{ tool_calls: step(0, "Bash").tool_calls }]), actions: [] });
    expect(untimed.channels.shell.seconds).toEqual(unknown("no call has a time"));
  });

  test("programs are told by windows, focus and input", () => {
    const actions = [
      action(1, "screenshot", "XTerm"),
      action(2, "click", "libreoffice-calc"),
      action(3, "type", "libreoffice-calc"),
      action(4, "key", "libreoffice-calc", "no such key"),
    ];
    expect(channelUse({ steps, actions }).programs).toEqual([
      { program: "libreoffice-calc", shown: 4, focused: 3, inputs: 2 },
      { program: "XTerm", shown: 4, focused: 1, inputs: 0 },
    ]);
  });

  test("a desktop that was used, only looked at, or left alone is told apart", () => {
    const used = channelUse({ steps, actions: [action(1, "click", "XTerm")], required: "desktop" });
    expect(used.required).toEqual({ state: "used", channel: "desktop", inputs: 1 });
    const looked = channelUse({ steps, actions: [action(1, "screenshot")], required: "desktop" });
    expect(looked.required).toMatchObject({ state: "bypassed", reason: "the screen was only looked at" });
    expect(channelUse({ steps, actions: [], required: "desktop" }).required.state).toBe("bypassed");
    expect(channelUse({ steps, actions: [] }).required.state).toBe("not-asked");
  });

  test("a browser that was asked for must have had the input", () => {
    const other = channelUse({ steps, actions: [action(1, "type", "XTerm")], required: "browser" });
    expect(other.required.state).toBe("bypassed");
    const own = channelUse({ steps, actions: [action(1, "type", "Chromium")], required: "browser" });
    expect(own.required.state).toBe("used");
  });

  test("programs that name themselves without end are kept from filling the record", () => {
    const many = Array.from({ length: 200 }, (_, index) => `${index}`.padEnd(10_000, "x"));
    const use = channelUse({ steps, actions: [{ ...action(1, "click", ""), programs: many }] });
    expect(channelUseSchema.parse(use)).toEqual(use);
    expect(JSON.stringify(use).length).toBeLessThan(20_000);
  });

  test("whether a shell was used cannot be told without a trajectory", () => {
    expect(channelUse({ steps, actions: [], required: "shell" }).required.state).toBe("unknown");
    expect(channelUse({ steps: known([]), actions: [], required: "shell" }).required.state).toBe("bypassed");
  });
});
