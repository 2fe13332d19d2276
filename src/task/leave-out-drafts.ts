import { join } from "node:path";
import type { Finding } from "../contract/finding.ts";
import type { SelectedInstance } from "./select-instances.ts";
import type { TaskPackage } from "./task-package.ts";

export interface WithoutDrafts {
  readonly instances: readonly SelectedInstance[];
  /** A warning for each draft that was selected, left out or not. */
  readonly findings: readonly Finding[];
}

/**
 * Leaves out the instances of packages that still hold marks to fill in, but for those that a pattern names in full, without
 * wildcards: their author may try them.
 */
export function leaveOutDrafts(
  selected: readonly SelectedInstance[],
  include: readonly string[],
): WithoutDrafts {
  const named = new Set(include);
  const isTaken = ({ task, instance }: SelectedInstance): boolean =>
    task.marks.length === 0 || named.has(instance.id) || named.has(task.manifest.id);
  const instances = selected.filter(isTaken);
  const taken = new Set(instances.map(({ task }) => task));
  const drafts = new Set(selected.map(({ task }) => task).filter((task) => task.marks.length > 0));
  return { instances, findings: [...drafts].map((task) => draftFinding(task, taken.has(task))) };
}

/** Marks named in a finding; `ale tasks check` names all. */
const namedMarks = 3;

function draftFinding({ manifest, dir, marks }: TaskPackage, taken: boolean): Finding {
  const { id } = manifest;
  const places = marks
    .slice(0, namedMarks)
    .map(({ name, path, line }) => (name === path ? `${path}:${line}` : `${name} at ${path}:${line}`));
  const more = marks.length > namedMarks ? ` and ${marks.length - namedMarks} more` : "";
  return {
    severity: "warning",
    code: taken ? "draft-taken" : "draft-left-out",
    message: `${id} is a draft${taken ? "" : " and left out"}: still to fill in: ${places.join(", ")}${more}`,
    remedy: taken
      ? "its scores mean nothing before it is written"
      : `fill in what npx ale tasks check ${id} lists; to try it as it is, name ${id} in full`,
    path: join(dir, "task.yaml"),
  };
}
