import { arch, availableParallelism, release, type } from "node:os";
import type { ExamLock, LockedInstance } from "../../contract/exam-lock.ts";
import type { ExamPlan } from "../../contract/exam-plan.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import { comparabilityFields, comparabilityKey } from "./comparability.ts";

export interface BuildLockOptions {
  readonly plan: ExamPlan;
  readonly packages: readonly TaskPackage[];
  readonly provider: { readonly name: string; readonly details: JsonValue };
  /** Of each task, by id, which provider was chosen for it; absent: the one. */
  readonly chosen?: Readonly<Record<string, string>>;
  /** As preflight found them. */
  readonly programs: Readonly<Record<string, string>>;
  /** Version of each harness, by name, as preflight found it. */
  readonly harnesses: Readonly<Record<string, string>>;
  readonly ale: { readonly version: string; readonly commit?: string };
  /** The command that started the exam, without secrets. */
  readonly invocation: readonly string[];
}

/** Everything needed to re-create the run, as it is on this host now. */
export function buildLock(options: BuildLockOptions): ExamLock {
  const { plan } = options;
  const wanted = new Set(plan.trials.map((trial) => trial.instance));
  const instances = options.packages
    .flatMap((task) =>
      task.instances
        .filter((instance) => wanted.has(instance.id))
        .map((instance) => lockInstance(options, task, instance.id)),
    )
    .sort((first, second) => (first.instance < second.instance ? -1 : 1));
  return {
    schema: "ale/lock@1",
    ale: options.ale,
    node: process.version,
    host: { os: type(), kernel: release(), arch: arch(), cpus: availableParallelism() },
    provider: options.provider,
    programs: options.programs,
    harnesses: options.harnesses,
    instances,
    invocation: options.invocation,
  };
}

function lockInstance(options: BuildLockOptions, task: TaskPackage, instance: string): LockedInstance {
  const { plan, programs } = options;
  const provider = options.chosen?.[task.manifest.id] ?? options.provider.name;
  const fields = comparabilityFields({ task, instance, plan, provider, programs });
  return {
    instance,
    packageDir: task.dir,
    format: task.format,
    taskHash: task.contentHash,
    comparabilityKey: comparabilityKey(fields),
    comparability: fields,
  };
}
