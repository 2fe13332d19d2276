import { AleError } from "../../contract/ale-error.ts";
import type { ExamFile } from "../../contract/exam-file.ts";
import type { TaskInstance, TaskPackage } from "../../task/task-package.ts";
import { matchInstance } from "./match-instance.ts";

/** An instance with the package it belongs to. */
export interface SelectedInstance {
  readonly task: TaskPackage;
  readonly instance: TaskInstance;
}

/**
 * The instances an exam asks for, sorted by id. Throws an `AleError`: `no-instances` when none fits,
 * `instance-twice` when two packages claim the same id.
 */
export function selectInstances(
  tasks: readonly TaskPackage[],
  wanted: Pick<ExamFile["tasks"], "include" | "exclude">,
): readonly SelectedInstance[] {
  const selected = new Map<string, SelectedInstance>();
  for (const task of tasks) {
    for (const instance of task.instances) {
      const fits = (pattern: string): boolean => matchInstance(pattern, instance.id);
      if (!wanted.include.some(fits) || wanted.exclude.some(fits)) continue;
      const other = selected.get(instance.id);
      if (other !== undefined) throw twice(instance.id, [other.task.dir, task.dir]);
      selected.set(instance.id, { task, instance });
    }
  }
  if (selected.size === 0) throw none(tasks, wanted.include);
  return [...selected.keys()].sort().map((id) => selected.get(id) as SelectedInstance);
}

function twice(id: string, dirs: readonly string[]): AleError {
  return new AleError({
    code: "instance-twice",
    message: `${id} is in two packages: ${dirs.join(" and ")}`,
    remedy: "Take one of them out of the exam's `tasks.roots`.",
    fields: { instance: id, dirs },
  });
}

function none(tasks: readonly TaskPackage[], include: readonly string[]): AleError {
  const known = tasks.flatMap((task) => task.instances.map((instance) => instance.id));
  const sample = known.slice(0, 5).join(", ");
  return new AleError({
    code: "no-instances",
    message: `no instance fits ${include.join(", ")}`,
    remedy: known.length === 0 ? "There is no readable package there at all." : `There are ${sample}…`,
    fields: { include },
  });
}
