import type { TrajectoryExtra, TrajectoryStep, TrajectoryToolCall } from "../../contract/trajectory-step.ts";
import type { DraftPart } from "./stream-event.ts";

/** A step before it has its number and its images are files. */
export interface DraftStep
  extends Omit<TrajectoryStep, "step_id" | "message" | "observation" | "tool_calls" | "timestamp"> {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly message: readonly DraftPart[];
  readonly tool_calls?: readonly TrajectoryToolCall[];
  readonly results: readonly DraftResult[];
}

export interface DraftResult {
  readonly source_call_id: string;
  readonly content: readonly DraftPart[];
  readonly extra?: TrajectoryExtra;
}
