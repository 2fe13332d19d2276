import type { CountedTrial } from "./counted-trial.ts";

/** How often a contestant worked around the channel that a task requires. Told beside the score, never part of it. */
export interface ChannelBypass {
  /** Trials that count whose task requires a channel, as far as their records say. */
  readonly asked: number;
  readonly bypassed: number;
  /** Of those asked: the record cannot tell. */
  readonly untold: number;
}

/** Over the attempts that count. Records of before channels were accounted for say nothing. */
export function channelBypass(trials: readonly CountedTrial[]): ChannelBypass {
  const states = trials.map(({ counted }) => counted?.result.channels?.required.state ?? "not-asked");
  const count = (state: string): number => states.filter((own) => own === state).length;
  return {
    asked: states.length - count("not-asked"),
    bypassed: count("bypassed"),
    untold: count("unknown"),
  };
}

/** `2 of 3`, and how many cannot be told; a dash where no task asked. */
export function describeBypass({ asked, bypassed, untold }: ChannelBypass): string {
  if (asked === 0) return "–";
  return `${bypassed} of ${asked}${untold === 0 ? "" : ` (${untold} unknown)`}`;
}
