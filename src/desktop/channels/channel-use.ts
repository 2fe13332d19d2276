import { known, type Maybe, unknown } from "../../contract/absence.ts";
import { type CallChannel, callChannel, callChannels } from "../../contract/call-channel.ts";
import type { ChannelShare, ChannelUse, ProgramUse, RequiredChannelUse } from "../../contract/channel-use.ts";
import type { ScreenActionLine } from "../../contract/screen-action-line.ts";
import type { Channel } from "../../contract/task-manifest.ts";
import type { TrajectoryStep } from "../../contract/trajectory-step.ts";

/** A step of a trajectory, as far as channels are concerned. */
export type CallStep = Pick<TrajectoryStep, "tool_calls" | "timestamp">;

export interface ChannelUseInput {
  /** What was called and when, in order, as the trajectory tells it; or why that is not known. */
  readonly steps: Maybe<readonly CallStep[]>;
  /** Of `actions.jsonl`; empty where there was no screen. */
  readonly actions: readonly ScreenActionLine[];
  readonly required?: Channel;
}

/** What changes something; the rest only looks. */
const inputKinds: ReadonlySet<string> = new Set([
  ...["click", "button", "drag", "scroll", "type", "key", "hold", "write_clipboard"],
]);
/** Windows name their programs themselves, and may be many. */
const mostPrograms = 50;
const longestName = 200;
const browsers = /chrom|firefox|epiphany|navigator|browser/i;

/** Through which channels an attempt worked, and at which programs. */
export function channelUse(input: ChannelUseInput): ChannelUse {
  const { steps } = input;
  const calls = timedCalls(steps.known ? steps.value : []);
  const allSeconds = sumOf(calls.map((call) => call.seconds));
  const share = (channel: CallChannel): ChannelShare => {
    const own = calls.filter((call) => call.channel === channel);
    const seconds = sumOf(own.map((call) => call.seconds));
    return {
      calls: own.length,
      share: calls.length === 0 ? unknown("no tool was called") : known(own.length / calls.length),
      seconds,
      timeShare: ratio(seconds, allSeconds),
      ...(steps.known ? {} : { share: steps, seconds: steps, timeShare: steps }),
    };
  };
  return {
    channels: Object.fromEntries(callChannels.map((channel) => [channel, share(channel)])) as Record<
      CallChannel,
      ChannelShare
    >,
    programs: programUse(input.actions),
    required: requiredUse(input, calls),
  };
}

interface TimedCall {
  readonly channel: CallChannel;
  readonly seconds: Maybe<number>;
}

function timedCalls(steps: readonly CallStep[]): readonly TimedCall[] {
  return steps.flatMap((step, index) => {
    const calls = step.tool_calls ?? [];
    const from = Date.parse(step.timestamp ?? "");
    const to = Date.parse(steps[index + 1]?.timestamp ?? "");
    const isTimed = to >= from;
    return calls.map((call) => ({
      channel: callChannel(call.function_name),
      seconds: isTimed
        ? known((to - from) / 1000 / calls.length)
        : unknown("the trajectory does not say when the call ended"),
    }));
  });
}

/** The sum of what is known; absent where nothing is. */
function sumOf(values: readonly Maybe<number>[]): Maybe<number> {
  const there = values.flatMap((value) => (value.known ? [value.value] : []));
  if (there.length === 0 && values.length > 0) return unknown("no call has a time");
  return known(there.reduce((sum, value) => sum + value, 0));
}

function ratio(part: Maybe<number>, whole: Maybe<number>): Maybe<number> {
  if (!part.known) return part;
  if (!whole.known) return whole;
  return whole.value === 0 ? unknown("no time was spent on calls") : known(part.value / whole.value);
}

function isInput({ action, failure }: ScreenActionLine): boolean {
  return failure === undefined && inputKinds.has(action.kind);
}

function programUse(actions: readonly ScreenActionLine[]): readonly ProgramUse[] {
  const names = new Set(
    actions.flatMap(({ programs, focus = "" }) => [...programs, focus]).filter((name) => name !== ""),
  );
  return [...names]
    .map((program) => {
      const focused = actions.filter((action) => action.focus === program);
      return {
        program: program.slice(0, longestName),
        shown: actions.filter(({ programs }) => programs.includes(program)).length,
        focused: focused.length,
        inputs: focused.filter(isInput).length,
      };
    })
    .sort((first, second) => second.inputs - first.inputs || (first.program < second.program ? -1 : 1))
    .slice(0, mostPrograms);
}

function requiredUse(
  { required, actions, steps }: ChannelUseInput,
  calls: readonly TimedCall[],
): RequiredChannelUse {
  if (required === undefined) return { state: "not-asked" };
  const channel = required;
  if (channel === "shell") {
    const used = calls.filter((call) => call.channel === "shell").length;
    if (!steps.known) return { state: "unknown", channel, reason: steps.reason };
    return used > 0
      ? { state: "used", channel, inputs: used }
      : { state: "bypassed", channel, reason: "no call of a tool went through a shell" };
  }
  const inputs = actions.filter(isInput);
  const own = channel === "browser" ? inputs.filter(({ focus }) => browsers.test(focus ?? "")) : inputs;
  if (own.length > 0) return { state: "used", channel, inputs: own.length };
  if (inputs.length > 0) {
    const reason = `none of ${inputs.length} inputs on the screen went to a browser`;
    return { state: "bypassed", channel, reason };
  }
  const looked = actions.length === 0 ? "nothing was done on the screen" : "the screen was only looked at";
  return { state: "bypassed", channel, reason: looked };
}
