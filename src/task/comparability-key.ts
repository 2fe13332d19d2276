import { canonicalJson } from "../contract/canonical-json.ts";
import type { JsonValue } from "../contract/json-value.ts";
import type { Limits } from "../contract/limits.ts";
import { digestOf } from "./content-hash.ts";
import type { TaskInstance, TaskPackage } from "./task-package.ts";

/** What can move a score besides the contestant. */
export interface ComparabilityInputs {
  readonly task: TaskPackage;
  readonly instance: TaskInstance;
  /** As enforced, after the exam has tightened the task's own. */
  readonly limits: Limits;
  /** The machine and the graders: kind of provider, image, versions of grading programs, our own version. */
  readonly conditions: { readonly [name: string]: JsonValue };
}

/** `sha256:…` over the inputs: rows whose keys differ are never ranked together. */
export function comparabilityKey(inputs: ComparabilityInputs): string {
  const { task, instance, limits, conditions } = inputs;
  return digestOf(
    canonicalJson({
      schema: "ale/comparability@1",
      task: task.contentHash,
      instance: { id: instance.id, seed: instance.seed, params: instance.params },
      limits: { ...limits } as JsonValue,
      conditions,
    }),
  );
}
