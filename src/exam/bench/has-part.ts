import { AleError } from "../../contract/ale-error.ts";
import type { TaskInstance, TaskPackage, TaskVerb } from "../../task/task-package.ts";

/** Whether a task has a part, also while it is sealed and the part cannot be run. */
export function hasPart(task: TaskPackage, verb: TaskVerb, instance: TaskInstance): boolean {
  try {
    return task.program(verb, instance) !== undefined;
  } catch (error) {
    if (AleError.isInstance(error) && error.code === "task-sealed") return true;
    throw error;
  }
}
