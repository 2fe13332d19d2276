import type { Finding } from "../contract/finding.ts";
import { nearest } from "../yaml/nearest.ts";
import { instanceGlob } from "./instance-glob.ts";
import type { TaskInstance, TaskPackage } from "./task-package.ts";

export interface SelectedInstance {
  readonly task: TaskPackage;
  readonly instance: TaskInstance;
}

export interface Selection {
  /** By instance id. */
  readonly instances: readonly SelectedInstance[];
  /** An error for each pattern to include that matches nothing, a warning for each to exclude. */
  readonly findings: readonly Finding[];
}

/** Globs over instance ids, as {@link instanceGlob} reads them. */
export interface InstancePatterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** The instances that some pattern includes and none excludes. */
export function selectInstances(packages: readonly TaskPackage[], patterns: InstancePatterns): Selection {
  const all = packages
    .flatMap((task) => task.instances.map((instance) => ({ task, instance })))
    .sort((a, b) => (a.instance.id < b.instance.id ? -1 : 1));
  const ids = all.map(({ instance }) => instance.id);
  const included = patterns.include.map(instanceGlob);
  const excluded = patterns.exclude.map(instanceGlob);
  return {
    instances: all.filter(
      ({ instance }) =>
        included.some((matches) => matches(instance.id)) && !excluded.some((matches) => matches(instance.id)),
    ),
    findings: [...unmatched(patterns.include, ids, "error"), ...unmatched(patterns.exclude, ids, "warning")],
  };
}

function unmatched(
  patterns: readonly string[],
  ids: readonly string[],
  severity: Finding["severity"],
): readonly Finding[] {
  return patterns
    .filter((pattern) => !ids.some(instanceGlob(pattern)))
    .map((pattern) => ({
      severity,
      code: "pattern-matches-nothing",
      message: `no instance matches ${pattern}`,
      remedy: suggestion(pattern, ids),
    }));
}

function suggestion(pattern: string, ids: readonly string[]): string {
  if (ids.length === 0) return "no task was found: check the folders that are searched";
  const workflows = [...new Set(ids.map((id) => id.split("@")[0] as string))];
  const domains = [...new Set(ids.map((id) => `${id.split("/")[0]}/*`))];
  const candidates = pattern.includes("@") ? ids : [...workflows, ...domains];
  const names = workflows.filter((id) => id.split("/")[1] === pattern);
  const meant = names[0] ?? nearest(pattern, candidates) ?? nearest(pattern, [...ids, ...workflows]);
  return meant === undefined ? "see `ale tasks ls` for the instances there are" : `did you mean ${meant}?`;
}
