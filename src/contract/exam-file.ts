import { z } from "zod";
import { type Effort, effortSchema, type SettingValue, settingsSchema } from "./contestant.ts";
import { type Limits, limitsSchema } from "./limits.ts";
import { type ScoringPolicy, scoringPolicySchema } from "./scoring-policy.ts";

/** A contestant as written in `exam.yaml`; lists of models and efforts are multiplied out. */
export interface ContestantSpec {
  readonly name?: string;
  readonly harness: string;
  readonly model?: string | readonly string[];
  readonly effort?: Effort | readonly Effort[];
  readonly settings: Readonly<Record<string, SettingValue>>;
}

/** `exam.yaml`, schema `ale/exam@1`, with every default filled in. */
export interface ExamFile {
  readonly schema: "ale/exam@1";
  /** Names the run directory: lower-case letters, digits and `-`. */
  readonly name: string;
  readonly contestants: readonly ContestantSpec[];
  readonly tasks: {
    /** Folders to look for packages in, relative to the exam file. */
    readonly roots: readonly string[];
    /** Globs over instance ids, e.g. `legal/*`, `**@base`. */
    readonly include: readonly string[];
    readonly exclude: readonly string[];
  };
  /** Trials per contestant and instance. */
  readonly repeats: number;
  /** Seed of the admission order and of everything random in the exam. */
  readonly seed: number;
  /** Tightens each task's own limits; never loosens them. */
  readonly limits: Limits;
  readonly budget: { readonly cost_usd?: number };
  /** Most in flight at once, by kind of resource; absent = as the machine allows. */
  readonly concurrency: {
    readonly trials?: number;
    readonly cpus?: number;
    readonly memory_mb?: number;
    readonly verifiers?: number;
  };
  readonly retry: {
    /** Attempts per trial, the first included. Only failures that are not the contestant's are retried. */
    readonly attempts: number;
    readonly backoff_seconds: number;
  };
  /** `auto` picks by what is there. */
  readonly provider: string;
  /** A policy by name, or spelled out. */
  readonly scoring: "observed" | "ale-missing-zero" | ScoringPolicy;
}

const contestantSpecSchema = z.strictObject({
  name: z.string().min(1).exactOptional(),
  harness: z.string().min(1),
  model: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).exactOptional(),
  effort: z.union([effortSchema, z.array(effortSchema).min(1)]).exactOptional(),
  settings: settingsSchema.default({}),
});

export const examFileSchema: z.ZodType<ExamFile> = z.strictObject({
  schema: z.literal("ale/exam@1"),
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "must be lower-case letters, digits and -"),
  contestants: z.array(contestantSpecSchema).min(1),
  tasks: z
    .strictObject({
      roots: z.array(z.string().min(1)).default(["tasks"]),
      include: z.array(z.string().min(1)).default(["**"]),
      exclude: z.array(z.string().min(1)).default([]),
    })
    .prefault({}),
  repeats: z.int().min(1).max(1000).default(1),
  seed: z.int().nonnegative().default(0),
  limits: limitsSchema.default({}),
  budget: z.strictObject({ cost_usd: z.number().positive().exactOptional() }).default({}),
  concurrency: z
    .strictObject({
      trials: z.int().positive().exactOptional(),
      cpus: z.number().positive().exactOptional(),
      memory_mb: z.int().positive().exactOptional(),
      verifiers: z.int().positive().exactOptional(),
    })
    .default({}),
  retry: z
    .strictObject({
      attempts: z.int().min(1).max(20).default(3),
      backoff_seconds: z.number().nonnegative().default(2),
    })
    .prefault({}),
  provider: z.string().min(1).default("auto"),
  scoring: z.union([z.enum(["observed", "ale-missing-zero"]), scoringPolicySchema]).default("observed"),
});
