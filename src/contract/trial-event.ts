import { z } from "zod";
import { type Artifact, artifactSchema } from "./artifact.ts";
import { type JsonValue, jsonValueSchema } from "./json-value.ts";
import { type TrialPhase, trialPhaseSchema } from "./trial-phase.ts";
import { type TrialStatus, trialStatusSchema } from "./trial-status.ts";

/** What happened, without when: the part that callers write. */
export type TrialEventBody =
  | {
      readonly type: "attempt-started";
      readonly trial: string;
      readonly attempt: number;
      readonly contestant: string;
      readonly instance: string;
    }
  | { readonly type: "phase-started"; readonly phase: TrialPhase; readonly limitMs?: number }
  | {
      readonly type: "phase-ended";
      readonly phase: TrialPhase;
      readonly wallMs: number;
      readonly outcome: "ok" | "failed" | "timeout" | "cancelled" | "skipped";
      readonly message?: string;
    }
  /** A command run on a machine by us, with its end. Output goes to `logs/`. */
  | {
      readonly type: "command";
      readonly phase: TrialPhase;
      readonly argv: readonly string[];
      readonly exit: number | string;
      readonly wallMs: number;
    }
  /** Something the harness did or said; `kind` is the harness's own name for it. */
  | { readonly type: "agent"; readonly kind: string; readonly data: JsonValue }
  | {
      readonly type: "quiesced";
      /** Processes the agent left behind, ended by us: command names. */
      readonly ended: readonly string[];
      /** Paths the agent created, changed or deleted outside `output/`, at most a few hundred. */
      readonly changed: readonly string[];
    }
  | { readonly type: "artifact"; readonly artifact: Artifact }
  | { readonly type: "note"; readonly code: string; readonly message: string; readonly data?: JsonValue }
  | { readonly type: "attempt-ended"; readonly status: TrialStatus; readonly reason: string };

/** One line of `events.jsonl`. */
export type TrialEvent = TrialEventBody & {
  /** 1-based, without gaps. */
  readonly seq: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
};

const when = { seq: z.int().positive(), at: z.number().nonnegative() };

export const trialEventSchema: z.ZodType<TrialEvent> = z.discriminatedUnion("type", [
  z.strictObject({
    ...when,
    type: z.literal("attempt-started"),
    trial: z.string().min(1),
    attempt: z.int().positive(),
    contestant: z.string().min(1),
    instance: z.string().min(1),
  }),
  z.strictObject({
    ...when,
    type: z.literal("phase-started"),
    phase: trialPhaseSchema,
    limitMs: z.number().positive().exactOptional(),
  }),
  z.strictObject({
    ...when,
    type: z.literal("phase-ended"),
    phase: trialPhaseSchema,
    wallMs: z.number().nonnegative(),
    outcome: z.enum(["ok", "failed", "timeout", "cancelled", "skipped"]),
    message: z.string().exactOptional(),
  }),
  z.strictObject({
    ...when,
    type: z.literal("command"),
    phase: trialPhaseSchema,
    argv: z.array(z.string()),
    exit: z.union([z.number(), z.string()]),
    wallMs: z.number().nonnegative(),
  }),
  z.strictObject({ ...when, type: z.literal("agent"), kind: z.string().min(1), data: jsonValueSchema }),
  z.strictObject({
    ...when,
    type: z.literal("quiesced"),
    ended: z.array(z.string()),
    changed: z.array(z.string()),
  }),
  z.strictObject({ ...when, type: z.literal("artifact"), artifact: artifactSchema }),
  z.strictObject({
    ...when,
    type: z.literal("note"),
    code: z.string().min(1),
    message: z.string(),
    data: jsonValueSchema.exactOptional(),
  }),
  z.strictObject({
    ...when,
    type: z.literal("attempt-ended"),
    status: trialStatusSchema,
    reason: z.string(),
  }),
]);
