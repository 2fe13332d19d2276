import { callChannel } from "../../contract/call-channel.ts";
import type { AttemptTrace } from "./attempt-trace.ts";

/** How an agent worked, in counts. */
export interface Behaviour {
  readonly calls: number;
  readonly screenCalls: number;
  /** Of the calls whose outcome the record tells. */
  readonly failedCalls: number;
  readonly toldCalls: number;
  readonly messages: number;
  readonly compactions: number;
}

/** Counts of a trace; `undefined` without one. */
export function behaviourOf(trace: AttemptTrace): Behaviour | undefined {
  if (trace.kind === "none") return undefined;
  const told = trace.actions.flatMap(({ failed }) => (failed.known ? [failed.value] : []));
  return {
    calls: trace.actions.length,
    screenCalls: trace.actions.filter((action) => callChannel(action.tool) === "screen").length,
    failedCalls: told.filter(Boolean).length,
    toldCalls: told.length,
    messages: trace.messages.length,
    compactions: trace.compactions.length,
  };
}
