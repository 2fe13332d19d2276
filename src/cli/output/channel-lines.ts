import { callChannels } from "../../contract/call-channel.ts";
import type { ChannelUse, ProgramUse } from "../../contract/channel-use.ts";
import { formatPercent } from "./format-number.ts";

const programsShown = 5;

/** Through which channels an attempt worked, and whether a required one was bypassed: names with their text. */
export function channelLines({ channels, programs, required }: ChannelUse): readonly [string, string][] {
  const lines: [string, string][] = [["channels", sharesText(channels)]];
  if (programs.length > 0) {
    const shown = programs.slice(0, programsShown).map(programText);
    const more = programs.length > programsShown ? `; and ${programs.length - programsShown} more` : "";
    lines.push(["programs", `${shown.join("; ")}${more}`]);
  }
  if (required.state === "used")
    lines.push(["required", `${required.channel}: used, ${required.inputs} times`]);
  else if (required.state !== "not-asked") {
    lines.push(["required", `${required.channel}: ${required.state}: ${required.reason}`]);
  }
  return lines;
}

function sharesText(channels: ChannelUse["channels"]): string {
  const used = callChannels.filter((name) => channels[name].calls > 0);
  const { share } = channels.other;
  if (used.length === 0) return share.known ? "no tool was called" : share.reason;
  return used
    .map((name) => {
      const { calls, share: ofCalls, timeShare } = channels[name];
      const shares = [
        ...(ofCalls.known ? [`${formatPercent(ofCalls.value)} of calls`] : []),
        ...(timeShare.known ? [`${formatPercent(timeShare.value)} of time`] : []),
      ];
      return `${name} ${calls}${shares.length === 0 ? "" : ` (${shares.join(", ")})`}`;
    })
    .join("; ");
}

function programText({ program, focused, inputs }: ProgramUse): string {
  return `${program} (${inputs} inputs, in front ${focused} times)`;
}
