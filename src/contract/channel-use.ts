import { z } from "zod";
import { type Maybe, maybeSchema } from "./absence.ts";
import type { CallChannel } from "./call-channel.ts";
import { type Channel, channelSchema } from "./task-manifest.ts";

/** What of an attempt's calls went through one channel. */
export interface ChannelShare {
  readonly calls: number;
  /** Of all calls; absent where there are none. */
  readonly share: Maybe<number>;
  /** From each call to the next step, shared evenly by calls of one step. */
  readonly seconds: Maybe<number>;
  /** Of the seconds of all calls. */
  readonly timeShare: Maybe<number>;
}

/** How a program took part in what was done on the screen. */
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
  | { readonly state: "used"; readonly channel: Channel; readonly inputs: number }
  | { readonly state: "bypassed"; readonly channel: Channel; readonly reason: string }
  | { readonly state: "unknown"; readonly channel: Channel; readonly reason: string };

/** Through which channels an attempt worked, and at which programs. */
export interface ChannelUse {
  readonly channels: Readonly<Record<CallChannel, ChannelShare>>;
  /** Most input first; of many only the first. */
  readonly programs: readonly ProgramUse[];
  readonly required: RequiredChannelUse;
}

const share = z.number().min(0).max(1);
const count = z.int().nonnegative();

const channelShareSchema: z.ZodType<ChannelShare> = z.strictObject({
  calls: count,
  share: maybeSchema(share),
  seconds: maybeSchema(z.number().nonnegative()),
  timeShare: maybeSchema(share),
});

const requiredSchema: z.ZodType<RequiredChannelUse> = z.discriminatedUnion("state", [
  z.strictObject({ state: z.literal("not-asked") }),
  z.strictObject({ state: z.literal("used"), channel: channelSchema, inputs: z.int().positive() }),
  z.strictObject({ state: z.literal("bypassed"), channel: channelSchema, reason: z.string().min(1) }),
  z.strictObject({ state: z.literal("unknown"), channel: channelSchema, reason: z.string().min(1) }),
]);

export const channelUseSchema: z.ZodType<ChannelUse> = z.strictObject({
  channels: z.strictObject({
    screen: channelShareSchema,
    shell: channelShareSchema,
    file: channelShareSchema,
    network: channelShareSchema,
    other: channelShareSchema,
  }),
  programs: z.array(
    z.strictObject({ program: z.string().min(1), shown: count, focused: count, inputs: count }),
  ),
  required: requiredSchema,
});
