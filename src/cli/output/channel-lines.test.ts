import { expect, test } from "vitest";
import { exampleChannels } from "../../board/fixtures/example-channels.ts";
import { channelLines } from "./channel-lines.ts";

test("an attempt's channels are told with their shares, and at which programs", () => {
  const use = exampleChannels({
    state: "bypassed",
    channel: "desktop",
    reason: "the screen was only looked at",
  });
  const programs = [{ program: "LibreOffice", shown: 1, focused: 1, inputs: 1 }];
  expect(channelLines({ ...use, programs })).toEqual([
    ["channels", "screen 3 (75.0% of calls, 75.0% of time); shell 1 (25.0% of calls, 25.0% of time)"],
    ["programs", "LibreOffice (1 inputs, in front 1 times)"],
    ["required", "desktop: bypassed: the screen was only looked at"],
  ]);
  expect(channelLines(exampleChannels()).map(([name]) => name)).toEqual(["channels", "programs"]);
});
