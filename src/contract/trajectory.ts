import { z } from "zod";
import type { JsonValue } from "./json-value.ts";
import {
  type TrajectoryExtra,
  type TrajectoryStep,
  trajectoryExtraSchema,
  trajectoryStepSchema,
} from "./trajectory-step.ts";

/** The one version that is written. */
export const trajectoryVersion = "ATIF-v1.7";

export interface TrajectoryAgent {
  readonly name: string;
  readonly version: string;
  readonly model_name?: string;
  readonly tool_definitions?: readonly { readonly [key: string]: JsonValue }[];
  readonly extra?: TrajectoryExtra;
}

/** Totals, as far as they are known. */
export interface FinalMetrics {
  readonly total_prompt_tokens?: number;
  readonly total_completion_tokens?: number;
  readonly total_cached_tokens?: number;
  readonly total_cost_usd?: number;
  readonly total_steps?: number;
  readonly extra?: TrajectoryExtra;
}

/** Agent Trajectory Interchange Format v1.7 (RFC 0001), strict: what is beyond it stands under `extra.ale`. */
export interface Trajectory {
  readonly schema_version: typeof trajectoryVersion;
  readonly session_id: string;
  /** Required and unique among embedded sub-agents. */
  readonly trajectory_id?: string;
  readonly agent: TrajectoryAgent;
  /** At least one. */
  readonly steps: readonly TrajectoryStep[];
  readonly notes?: string;
  readonly final_metrics?: FinalMetrics;
  /** The next file, after a reset of the context. */
  readonly continued_trajectory_ref?: string;
  readonly subagent_trajectories?: readonly Trajectory[];
  readonly extra?: TrajectoryExtra;
}

const count = z.int().nonnegative();
const extra = trajectoryExtraSchema.exactOptional();

/** The shape alone; `trajectoryProblems` also holds the rules between fields. */
export const trajectorySchema: z.ZodType<Trajectory> = z.strictObject({
  schema_version: z.literal(trajectoryVersion),
  session_id: z.string().min(1),
  trajectory_id: z.string().min(1).exactOptional(),
  agent: z.strictObject({
    name: z.string().min(1),
    version: z.string().min(1),
    model_name: z.string().exactOptional(),
    tool_definitions: z.array(z.record(z.string(), z.json() as z.ZodType<JsonValue>)).exactOptional(),
    extra,
  }),
  steps: z.array(trajectoryStepSchema).min(1),
  notes: z.string().exactOptional(),
  final_metrics: z
    .strictObject({
      total_prompt_tokens: count.exactOptional(),
      total_completion_tokens: count.exactOptional(),
      total_cached_tokens: count.exactOptional(),
      total_cost_usd: z.number().nonnegative().exactOptional(),
      total_steps: count.exactOptional(),
      extra,
    })
    .exactOptional(),
  continued_trajectory_ref: z.string().exactOptional(),
  subagent_trajectories: z.array(z.lazy(() => trajectorySchema)).exactOptional(),
  extra,
});
