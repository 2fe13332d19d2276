import type { Contestant } from "../../contract/contestant.ts";
import type { PlannedTrial } from "../../contract/exam-plan.ts";
import type { Limits } from "../../contract/limits.ts";
import type { NetworkPolicy } from "../../contract/network-policy.ts";
import type { TrialEventBody } from "../../contract/trial-event.ts";
import type { ScreenBridge } from "../../desktop/screen-actions/screen-bridge.ts";
import type { TrialMeter } from "../../gateway/gateway.ts";
import type { Harness, ModelAccess } from "../../harness/harness.ts";
import type { Mount } from "../../sandbox/provider.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { WorkingClock } from "../trial/working-clock.ts";

/** Who wants a line, and what for. */
export interface LineRequest {
  readonly trial: PlannedTrial;
  readonly contestant: Contestant;
  readonly harness: Harness;
  readonly limits: Limits;
  readonly network: NetworkPolicy;
  /** Host folder of the attempt: what was said over the line is recorded there. */
  readonly record: string;
  readonly note: (event: Extract<TrialEventBody, { type: "note" | "agent" }>) => void;
}

/** The agent phase, as the line sees it. */
export interface LineWatch {
  readonly sandbox: Sandbox;
  /** The trial's screen, where its task is done at one. */
  readonly bridge: ScreenBridge | undefined;
  /** Paused while the contestant waits on a rate limit. */
  readonly working: WorkingClock;
  /** Ends the agent phase as `budget_exceeded`; names the limit, such as `tokens`. */
  readonly exceed: (limit: string) => void;
}

/** A line in use. */
export interface OpenLine extends AsyncDisposable {
  /** Absent for a contestant without a model. */
  readonly model?: ModelAccess;
  /** For every command of the agent. */
  readonly env: Readonly<Record<string, string>>;
  /** What has been used so far; absent where nothing is metered. */
  meter(): TrialMeter | undefined;
  /**
   * Cuts the line, lets answers under way end, and says what was used. Idempotent.
   * @param judging until it is aborted, the answer of a call that was left after a long silence is waited for, to tell whose
   * failure that was.
   */
  close(judging?: AbortSignal): Promise<TrialMeter | undefined>;
}

/**
 * A trial's line to the world outside its machine: to its model through the gateway, to the house's MCP servers, to the
 * hosts its task allows. It is there before the machine, which must be shown its sockets.
 */
export interface TrialLine extends AsyncDisposable {
  readonly mounts: readonly Mount[];
  open(watch: LineWatch): Promise<OpenLine>;
}

export type LineOpener = (request: LineRequest) => Promise<TrialLine>;

/** For a contestant that needs none: no mounts, nothing metered. */
export const noLine: LineOpener = async () => ({
  mounts: [],
  open: async () => ({
    env: {},
    meter: () => undefined,
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }),
  [Symbol.asyncDispose]: async () => undefined,
});
