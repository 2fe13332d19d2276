import { AleError } from "../../contract/ale-error.ts";
import type { Contestant } from "../../contract/contestant.ts";
import type { LockedInstance } from "../../contract/exam-lock.ts";
import type { PlannedTrial } from "../../contract/exam-plan.ts";
import { type Limits, tighterLimits } from "../../contract/limits.ts";
import type { Harness } from "../../harness/harness.ts";
import type { TaskInstance, TaskPackage } from "../../task/task-package.ts";
import type { ConductOptions } from "./conduct-options.ts";

/** Who sits what in a trial, looked up once before the first trial. */
export interface TrialCast {
  readonly contestant: Contestant;
  readonly harness: Harness;
  readonly harnessVersion: string;
  readonly task: TaskPackage;
  readonly instance: TaskInstance;
  readonly locked: LockedInstance;
  /** The task's, tightened by the exam's. */
  readonly limits: Limits;
}

/**
 * Finds every trial's contestant, harness and package. Rejects with an `AleError`: `unknown-harness`,
 * `instance-missing`, or `task-changed` when a package is not what the lock says.
 */
export async function resolveCast(options: ConductOptions): Promise<(trial: PlannedTrial) => TrialCast> {
  const { plan, lock } = options.run;
  const instances = new Map(
    options.tasks.flatMap((task) =>
      task.instances.map((instance) => [instance.id, { task, instance }] as const),
    ),
  );
  const contestants = new Map(plan.contestants.map((contestant) => [contestant.name, contestant]));
  const locks = new Map(lock.instances.map((locked) => [locked.instance, locked]));
  const versions = new Map<string, string>();
  for (const { harness } of plan.contestants) {
    if (!versions.has(harness)) versions.set(harness, await requireHarness(options, harness).version());
  }

  const cast = (trial: PlannedTrial): TrialCast => {
    const contestant = contestants.get(trial.contestant);
    const found = instances.get(trial.instance);
    const locked = locks.get(trial.instance);
    if (contestant === undefined || found === undefined || locked === undefined) throw missing(trial);
    if (found.task.contentHash !== locked.taskHash) throw changed(trial.instance, found.task.dir);
    const harness = requireHarness(options, contestant.harness);
    const harnessVersion = versions.get(contestant.harness) ?? "unknown";
    const limits = tighterLimits(found.task.manifest.limits, plan.file.limits);
    return { contestant, harness, harnessVersion, ...found, locked, limits };
  };
  for (const trial of plan.trials) cast(trial);
  return cast;
}

function requireHarness(options: ConductOptions, name: string): Harness {
  const harness = options.harnesses.get(name);
  if (harness !== undefined) return harness;
  throw new AleError({
    code: "unknown-harness",
    message: `there is no harness called ${name}`,
    remedy: `Take one of: ${[...options.harnesses.keys()].sort().join(", ")}.`,
    fields: { harness: name },
  });
}

function missing(trial: PlannedTrial): AleError {
  return new AleError({
    code: "instance-missing",
    message: `${trial.instance} is in the exam's plan, but its package cannot be read any more`,
    remedy: "Put the package back, or start a new run.",
    fields: { instance: trial.instance, trial: trial.id },
  });
}

function changed(instance: string, dir: string): AleError {
  return new AleError({
    code: "task-changed",
    message: `${instance} has changed since this run was made: ${dir} has another content hash than lock.json`,
    remedy: "Restore the package, or start a new run: scores of two versions do not mix.",
    fields: { instance, dir },
  });
}
