import type { Artifact } from "../../contract/artifact.ts";
import type { Verdict } from "../../contract/verdict.ts";
import type { ProbeKind } from "../probe-kind.ts";
import type { TaskInstance, TaskPackage } from "../task-package.ts";

/** Input and reference of an instance on the host, generated or copied. Read-only, cached by content. */
export interface StagedInstance {
  readonly input: string;
  readonly reference: string;
}

/** A step of a task's program: done, or failed through the task's own fault. */
export type StepOutcome = { readonly kind: "done" } | { readonly kind: "failed"; readonly message: string };

/** What a grader's run came to. */
export type GradeOutcome =
  | { readonly kind: "verdict"; readonly verdict: Verdict }
  | { readonly kind: "verifier-error"; readonly message: string };

/** An output folder made by a probe, with what it must score. */
export interface ProbeOutput {
  readonly name: string;
  readonly kind: ProbeKind;
  readonly expected: number | readonly [low: number, high: number];
  readonly because: string;
  /** Host folder holding what the probe hands in. */
  readonly dir: string;
}

/** Runs a task's parts in sandboxes. Given to QC from above, so that QC knows no provider. */
export interface TaskWorkbench {
  stage(task: TaskPackage, instance: TaskInstance): Promise<StagedInstance>;
  /** Stages again from nothing, past every cache, to compare with {@link stage}. */
  stageAfresh(task: TaskPackage, instance: TaskInstance): Promise<StagedInstance & AsyncDisposable>;
  /** Runs the oracle on a machine as an agent would get it; outputs land in `into`. */
  solve(task: TaskPackage, instance: TaskInstance, into: string): Promise<StepOutcome>;
  probes(
    task: TaskPackage,
    instance: TaskInstance,
    oracleOutput: string,
    into: string,
  ): Promise<
    | { readonly kind: "made"; readonly probes: readonly ProbeOutput[] }
    | { readonly kind: "failed"; readonly message: string }
  >;
  /** Takes only the declared outputs of a folder, as after a trial; refusals are in the list. */
  collect(task: TaskPackage, output: string, into: string): Promise<readonly Artifact[]>;
  grade(task: TaskPackage, instance: TaskInstance, artifacts: string): Promise<GradeOutcome>;
}
