import { z } from "zod";
import { instanceIdSchema } from "./ids.ts";
import { type JsonValue, jsonValueSchema } from "./json-value.ts";

/** An instance as it was when the exam was planned. */
export interface LockedInstance {
  readonly instance: string;
  /** Where the package was read from. */
  readonly packageDir: string;
  readonly format: string;
  /** Over everything in the package that can move a score. */
  readonly taskHash: string;
  readonly comparabilityKey: string;
  /** What the key is the hash of, so that two keys can be compared field by field. */
  readonly comparability: Readonly<Record<string, JsonValue>>;
}

/** `lock.json`: everything needed to re-create the run. */
export interface ExamLock {
  readonly schema: "ale/lock@1";
  readonly ale: { readonly version: string; readonly commit?: string };
  readonly node: string;
  readonly host: {
    readonly os: string;
    readonly kernel: string;
    readonly arch: string;
    readonly cpus: number;
  };
  readonly provider: { readonly name: string; readonly details: JsonValue };
  /** Versions of the programs that graders and tasks name, by program. */
  readonly programs: Readonly<Record<string, string>>;
  readonly harnesses: Readonly<Record<string, string>>;
  readonly instances: readonly LockedInstance[];
  /** The command that started it, without secrets. */
  readonly invocation: readonly string[];
}

export const examLockSchema: z.ZodType<ExamLock> = z.strictObject({
  schema: z.literal("ale/lock@1"),
  ale: z.strictObject({ version: z.string().min(1), commit: z.string().exactOptional() }),
  node: z.string().min(1),
  host: z.strictObject({ os: z.string(), kernel: z.string(), arch: z.string(), cpus: z.int().positive() }),
  provider: z.strictObject({ name: z.string().min(1), details: jsonValueSchema }),
  programs: z.record(z.string(), z.string()),
  harnesses: z.record(z.string(), z.string()),
  instances: z.array(
    z.strictObject({
      instance: instanceIdSchema,
      packageDir: z.string().min(1),
      format: z.string().min(1),
      taskHash: z.string().min(1),
      comparabilityKey: z.string().min(1),
      comparability: z.record(z.string(), jsonValueSchema),
    }),
  ),
  invocation: z.array(z.string()),
});
