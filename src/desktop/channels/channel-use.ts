import { known, type Maybe, unknown } from "../../contract/absence.ts";
import type { ScreenActionLine } from "../../contract/screen-action-line.ts";
import type { Channel } from "../../contract/task-manifest.ts";
import type { TrajectoryStep } from "../../contract/trajectory-step.ts";
import { type CallChannel, callChannel, callChannels } from "./call-channel.ts";

export interface ChannelShare {
  readonly calls: number;
  /** Of all calls; absent where there are none. */
  readonly share: Maybe<number>;
  /** From each call to the next step, shared evenly by calls of one step. */
  readonly seconds: Maybe<number>;
  /** Of the seconds of all calls. */
  readonly timeShare: Maybe<number>;
}

export interface ProgramUse {
  readonly program: string;
  /** Actions on the screen while it had a window, while it had the focus, and those of keyboard or pointer among these. */
  readonly shown: number;
  readonly focused: number;
  readonly inputs: number;
}

/** Whether the work was done where the task asks for it. Reported beside the score, never scored. */
export type RequiredChannelUse =
  | { readonly state: "not-asked" }
  | { readonly state: "used"; readonly inputs: number }
  | { readonly state: "bypassed"; readonly reason: string }
  | { readonly state: "unknown"; readonly reason: string };

export interface ChannelUse {
  readonly channels: Readonly<Record<CallChannel, ChannelShare>>;
  /** Most input first. */
  readonly programs: readonly ProgramUse[];
  readonly required: RequiredChannelUse;
}

export interface ChannelUseInput {
  /** Of the attempt's trajectory; absent where the harness told none. */
  readonly steps?: readonly Pick<TrajectoryStep, "tool_calls" | "timestamp">[];
  /** Of `actions.jsonl`; empty where there was no screen. */
  readonly actions: readonly ScreenActionLine[];
  readonly required?: Channel;
}

/** What changes something; the rest only looks. */
const inputKinds: ReadonlySet<string> = new Set([
  ...["click", "button", "drag", "scroll", "type", "key", "hold", "write_clipboard"],
]);
const browsers = /chrom|firefox|epiphany|navigator|browser/i;

/** Through which channels an attempt worked, and at which programs. */
export function channelUse(input: ChannelUseInput): ChannelUse {
  const calls = timedCalls(input.steps ?? []);
  const allSeconds = sumOf(calls.map((call) => call.seconds));
  const share = (channel: CallChannel): ChannelShare => {
    const own = calls.filter((call) => call.channel === channel);
    const seconds = sumOf(own.map((call) => call.seconds));
    return {
      calls: own.length,
      share: calls.length === 0 ? unknown("no tool was called") : known(own.length / calls.length),
      seconds,
      timeShare: ratio(seconds, allSeconds),
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

function timedCalls(steps: NonNullable<ChannelUseInput["steps"]>): readonly TimedCall[] {
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
    actions.flatMap(({ programs, focus }) => [...programs, ...(focus === undefined ? [] : [focus])]),
  );
  return [...names]
    .map((program) => {
      const focused = actions.filter((action) => action.focus === program);
      return {
        program,
        shown: actions.filter(({ programs }) => programs.includes(program)).length,
        focused: focused.length,
        inputs: focused.filter(isInput).length,
      };
    })
    .sort((first, second) => second.inputs - first.inputs || (first.program < second.program ? -1 : 1));
}

function requiredUse(
  { required, actions, steps }: ChannelUseInput,
  calls: readonly TimedCall[],
): RequiredChannelUse {
  if (required === undefined) return { state: "not-asked" };
  if (required === "shell") {
    const used = calls.filter((call) => call.channel === "shell").length;
    if (steps === undefined) return { state: "unknown", reason: "the harness told no trajectory" };
    return used > 0
      ? { state: "used", inputs: used }
      : { state: "bypassed", reason: "no call of a tool went through a shell" };
  }
  const inputs = actions.filter(isInput);
  const own = required === "browser" ? inputs.filter(({ focus }) => browsers.test(focus ?? "")) : inputs;
  if (own.length > 0) return { state: "used", inputs: own.length };
  if (inputs.length > 0) {
    return { state: "bypassed", reason: `none of ${inputs.length} inputs on the screen went to a browser` };
  }
  const looked = actions.length === 0 ? "nothing was done on the screen" : "the screen was only looked at";
  return { state: "bypassed", reason: looked };
}
