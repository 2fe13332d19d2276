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
  name: z.string().min(1).exactOptional().describe("Default: harness[:model[:effort]]."),
  harness: z.string().min(1).describe("As ale agents ls names it."),
  model: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .exactOptional()
    .describe("One model, or several: a contestant each."),
  effort: z
    .union([effortSchema, z.array(effortSchema).min(1)])
    .exactOptional()
    .describe("Reasoning effort, one or several."),
  settings: settingsSchema.default({}).describe("The harness's own options."),
});

export const examFileSchema: z.ZodType<ExamFile> = z.strictObject({
  schema: z.literal("ale/exam@1").describe("The format of this file."),
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, "must be lower-case letters, digits and -")
    .describe("Names the run directory."),
  contestants: z.array(contestantSpecSchema).min(1).describe("Who sits the exam."),
  tasks: z
    .strictObject({
      roots: z
        .array(z.string().min(1))
        .default(["tasks"])
        .describe("Folders to look for packages in, relative to this file."),
      include: z
        .array(z.string().min(1))
        .default(["**"])
        .describe("Globs over instance ids, such as legal/* or **@base."),
      exclude: z.array(z.string().min(1)).default([]).describe("Globs over instance ids to leave out."),
    })
    .prefault({})
    .describe("What is examined."),
  repeats: z.int().min(1).max(1000).default(1).describe("Trials per contestant and instance."),
  seed: z
    .int()
    .nonnegative()
    .default(0)
    .describe("Of the admission order and everything random in the exam."),
  limits: limitsSchema.default({}).describe("Tightens each task's own limits; never loosens them."),
  budget: z
    .strictObject({
      cost_usd: z.number().positive().exactOptional().describe("US dollars."),
    })
    .default({})
    .describe("What the whole exam may cost."),
  concurrency: z
    .strictObject({
      trials: z.int().positive().exactOptional().describe("Trials at once."),
      cpus: z.number().positive().exactOptional().describe("Processors in use at once."),
      memory_mb: z.int().positive().exactOptional().describe("Memory in use at once, in MiB."),
      verifiers: z.int().positive().exactOptional().describe("Gradings at once."),
    })
    .default({})
    .describe("Most in flight at once; default: as the machine allows."),
  retry: z
    .strictObject({
      attempts: z.int().min(1).max(20).default(3).describe("Attempts per trial, the first included."),
      backoff_seconds: z.number().nonnegative().default(2).describe("Wait before a further attempt."),
    })
    .prefault({})
    .describe("Only failures that are not the contestant's are retried."),
  provider: z
    .string()
    .min(1)
    .default("auto")
    .describe("Where machines come from; auto picks by what is there."),
  scoring: z
    .union([z.enum(["observed", "ale-missing-zero"]), scoringPolicySchema])
    .default("observed")
    .describe("What each status counts as: a policy by name, or spelled out."),
});
