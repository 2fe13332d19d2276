import type { ServerResponse } from "node:http";
import type { SilenceWatch } from "../upstream/silence-watch.ts";
import type { CallContext, ReadCall } from "./call-context.ts";

/** A call on its way to its answer. */
export interface LiveCall {
  readonly context: CallContext;
  readonly call: ReadCall;
  readonly response: ServerResponse;
  readonly silence: SilenceWatch;
  /** Aborted when the trial is over, and the call with it. */
  readonly over: AbortSignal;
}
