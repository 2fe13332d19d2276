import { AleError } from "../../contract/ale-error.ts";
import { leaveOutDrafts, type WithoutDrafts } from "../../task/leave-out-drafts.ts";
import { type InstancePatterns, selectInstances } from "../../task/select-instances.ts";
import type { TaskPackage } from "../../task/task-package.ts";

/**
 * The instances an exam asks for, sorted by id, and which drafts are among them or left out. Throws an `AleError`:
 * `no-instances` when a pattern fits none or nothing is left, `instance-twice` when two packages claim the same id.
 */
export function wantedInstances(packages: readonly TaskPackage[], patterns: InstancePatterns): WithoutDrafts {
  const selected = selectInstances(packages, patterns);
  const errors = selected.findings.filter((finding) => finding.severity === "error");
  if (errors.length > 0) throw none(errors.map((error) => error.message).join("; "), errors[0]?.remedy);
  const ready = leaveOutDrafts(selected.instances, patterns.include);
  const [draft] = ready.findings;
  if (ready.instances.length === 0 && draft !== undefined) {
    throw none(ready.findings.map((finding) => finding.message).join("; "), draft.remedy);
  }
  if (ready.instances.length === 0) {
    throw none("every instance is excluded", "Take a pattern out of `tasks.exclude`.");
  }
  const dirs = new Map<string, string>();
  for (const { task, instance } of ready.instances) {
    const other = dirs.get(instance.id);
    if (other !== undefined) throw twice(instance.id, [other, task.dir]);
    dirs.set(instance.id, task.dir);
  }
  return ready;
}

function none(message: string, remedy: string | undefined): AleError {
  return new AleError({ code: "no-instances", message, ...(remedy === undefined ? {} : { remedy }) });
}

function twice(instance: string, dirs: readonly string[]): AleError {
  return new AleError({
    code: "instance-twice",
    message: `${instance} is in two packages: ${dirs.join(" and ")}`,
    remedy: "Take one of their folders out of `tasks.roots`.",
    fields: { instance, dirs },
  });
}
