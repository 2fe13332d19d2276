import { createHash } from "node:crypto";
import { canonicalJson } from "../../contract/canonical-json.ts";
import type { ExamPlan } from "../../contract/exam-plan.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { tighterLimits } from "../../contract/limits.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import { fixedEnvironment } from "../bench/fixed-environment.ts";

/** Everything that can move a score besides the contestant, field by field. */
export type ComparabilityFields = Readonly<Record<string, JsonValue>>;

export interface ComparabilityInputs {
  readonly task: TaskPackage;
  readonly instance: string;
  readonly plan: Pick<ExamPlan, "file" | "scoring">;
  readonly provider: string;
  /** Version of each program that graders name, as preflight found it. */
  readonly programs: Readonly<Record<string, string>>;
}

/**
 * The fields of the comparability key:
 * - `schemas`: the major versions of what a package, a verdict and a result mean;
 * - `instance`, `content`: the case, and the content hash of its package;
 * - `provider`, `image`, `machine`: what the contestant works on; `network`: what it reaches;
 * - `limits`: the task's, tightened by the exam's;
 * - `scoring`: what each status counts as;
 * - `grader`: the grader's limits, its fixed environment, and the versions of the programs it names.
 */
export function comparabilityFields(inputs: ComparabilityInputs): ComparabilityFields {
  const { manifest, contentHash } = inputs.task;
  const { cpus, memory_mb, disk_mb, gpu, os } = manifest.sandbox;
  const programs = Object.fromEntries(
    manifest.grader.programs.map((program) => [program, inputs.programs[program] ?? "unknown"]),
  );
  return {
    schemas: { task: manifest.schema, verdict: "ale/verdict@1", result: "ale/result@1" },
    instance: inputs.instance,
    content: contentHash,
    provider: inputs.provider,
    image: manifest.sandbox.image ?? null,
    machine: { os, cpus, memory_mb, disk_mb, gpu },
    network: asJson(manifest.network),
    limits: asJson(tighterLimits(manifest.limits, inputs.plan.file.limits)),
    scoring: asJson(inputs.plan.scoring),
    grader: {
      wall_seconds: manifest.grader.wall_seconds,
      memory_mb: manifest.grader.memory_mb,
      environment: fixedEnvironment,
      programs,
    },
  };
}

/** `sha256:…` over the fields: equal exactly when every field is. */
export function comparabilityKey(fields: ComparabilityFields): string {
  return `sha256:${createHash("sha256").update(canonicalJson(fields)).digest("hex")}`;
}

/** Our own plain data, seen as JSON; drops fields that are undefined. */
function asJson(value: object | string): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
