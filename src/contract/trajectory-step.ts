import { z } from "zod";
import type { JsonValue } from "./json-value.ts";

/** Members beyond the format; ours stand under `ale`. */
export type TrajectoryExtra = { readonly [key: string]: JsonValue };

export type ImageMediaType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

export const imageMediaTypes: readonly ImageMediaType[] = [
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
];

export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      /** `path` is relative to the trajectory's file and stays below its folder. */
      readonly source: { readonly media_type: ImageMediaType; readonly path: string };
    };

export interface TrajectoryToolCall {
  readonly tool_call_id: string;
  readonly function_name: string;
  readonly arguments: { readonly [key: string]: JsonValue };
  readonly extra?: TrajectoryExtra;
}

export interface ObservationResult {
  /** A `tool_call_id` of the same step. */
  readonly source_call_id?: string;
  readonly content?: string | readonly ContentPart[];
  readonly subagent_trajectory_ref?: readonly {
    readonly trajectory_id?: string;
    readonly session_id?: string;
    readonly trajectory_path?: string;
    readonly extra?: TrajectoryExtra;
  }[];
  readonly extra?: TrajectoryExtra;
}

export interface StepMetrics {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly cached_tokens?: number;
  readonly cost_usd?: number;
  readonly prompt_token_ids?: readonly number[];
  readonly completion_token_ids?: readonly number[];
  readonly logprobs?: readonly number[];
  readonly extra?: TrajectoryExtra;
}

/** One step of an ATIF v1.7 trajectory. What is marked so stands only on steps of the agent. */
export interface TrajectoryStep {
  /** 1-based, without gaps. */
  readonly step_id: number;
  /** ISO 8601. */
  readonly timestamp?: string;
  readonly source: "system" | "user" | "agent";
  readonly message: string | readonly ContentPart[];
  /** Agent only. */
  readonly model_name?: string;
  /** Agent only. */
  readonly reasoning_effort?: string | number;
  /** Agent only. */
  readonly reasoning_content?: string;
  /** Agent only. */
  readonly tool_calls?: readonly TrajectoryToolCall[];
  readonly observation?: { readonly results: readonly ObservationResult[] };
  /** Agent only. */
  readonly metrics?: StepMetrics;
  readonly is_copied_context?: boolean;
  /** 0 for a step that no model took. */
  readonly llm_call_count?: number;
  readonly extra?: TrajectoryExtra;
}

// What is inside is already JSON, whatever its depth: it is not walked again for every step of a long run.
const json = z.unknown() as unknown as z.ZodType<JsonValue>;
const count = z.int().nonnegative();

export const trajectoryExtraSchema: z.ZodType<TrajectoryExtra> = z.record(z.string(), json);

export const contentPartSchema: z.ZodType<ContentPart> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({
    type: z.literal("image"),
    source: z.strictObject({
      media_type: z.enum(imageMediaTypes as [ImageMediaType]),
      path: z.string().min(1),
    }),
  }),
]);

const content = z.union([z.string(), z.array(contentPartSchema)]);

const toolCallSchema = z.strictObject({
  tool_call_id: z.string().min(1),
  function_name: z.string().min(1),
  arguments: z.record(z.string(), json),
  extra: trajectoryExtraSchema.exactOptional(),
});

const observationResultSchema = z.strictObject({
  source_call_id: z.string().exactOptional(),
  content: content.exactOptional(),
  subagent_trajectory_ref: z
    .array(
      z.strictObject({
        trajectory_id: z.string().exactOptional(),
        session_id: z.string().exactOptional(),
        trajectory_path: z.string().exactOptional(),
        extra: trajectoryExtraSchema.exactOptional(),
      }),
    )
    .exactOptional(),
  extra: trajectoryExtraSchema.exactOptional(),
});

const metricsSchema: z.ZodType<StepMetrics> = z.strictObject({
  prompt_tokens: count.exactOptional(),
  completion_tokens: count.exactOptional(),
  cached_tokens: count.exactOptional(),
  cost_usd: z.number().nonnegative().exactOptional(),
  prompt_token_ids: z.array(count).exactOptional(),
  completion_token_ids: z.array(count).exactOptional(),
  logprobs: z.array(z.number()).exactOptional(),
  extra: trajectoryExtraSchema.exactOptional(),
});

/** The shape alone; rules between fields are `stepProblems`. */
export const trajectoryStepSchema: z.ZodType<TrajectoryStep> = z.strictObject({
  step_id: z.int().positive(),
  timestamp: z.iso.datetime({ offset: true }).exactOptional(),
  source: z.enum(["system", "user", "agent"]),
  message: content,
  model_name: z.string().exactOptional(),
  reasoning_effort: z.union([z.string(), z.number()]).exactOptional(),
  reasoning_content: z.string().exactOptional(),
  tool_calls: z.array(toolCallSchema).exactOptional(),
  observation: z.strictObject({ results: z.array(observationResultSchema) }).exactOptional(),
  metrics: metricsSchema.exactOptional(),
  is_copied_context: z.boolean().exactOptional(),
  llm_call_count: count.exactOptional(),
  extra: trajectoryExtraSchema.exactOptional(),
});
