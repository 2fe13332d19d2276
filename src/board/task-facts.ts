import { parseInstanceId } from "../contract/ids.ts";
import type { Channel, TaskManifest, Tier } from "../contract/task-manifest.ts";

/** What boards select and group instances by. */
export interface TaskFacts {
  readonly domain: string;
  /** Id in `data/taxonomy.json`. */
  readonly subfield: string;
  readonly tier: Tier;
  readonly os: string;
  readonly channels: readonly Channel[];
  readonly requiredChannel?: Channel;
  readonly software: readonly string[];
}

/** The facts of a workflow's instances. */
export function taskFacts(manifest: TaskManifest): TaskFacts {
  return {
    domain: manifest.id.split("/")[0] ?? manifest.id,
    subfield: manifest.taxonomy.subfield,
    tier: manifest.tier,
    os: manifest.sandbox.os,
    channels: manifest.interface,
    ...(manifest.required_channel === undefined ? {} : { requiredChannel: manifest.required_channel }),
    software: manifest.software,
  };
}

/** Values to keep by field; a field with several keeps what has any of them. */
export interface TaskFilter {
  readonly domain?: readonly string[];
  readonly tier?: readonly string[];
  readonly subfield?: readonly string[];
  readonly os?: readonly string[];
  readonly channel?: readonly string[];
  /** Part of a program's name, in any case. */
  readonly software?: readonly string[];
}

/** Which instances a filter keeps; those it cannot judge are named, never dropped in silence. */
export interface FilteredInstances {
  readonly kept: ReadonlySet<string>;
  readonly left: readonly string[];
  /** Instances whose package was not found, so that the filter cannot judge them. */
  readonly unjudged: readonly string[];
}

/** Applies a filter. The domain is in the id; every other field needs the task's facts. */
export function filterInstances(
  instances: Iterable<string>,
  filter: TaskFilter,
  facts: ReadonlyMap<string, TaskFacts>,
): FilteredInstances {
  const kept = new Set<string>();
  const left: string[] = [];
  const unjudged: string[] = [];
  const { domain, ...others } = filter;
  const needsFacts = Object.values(others).some((wanted) => wanted !== undefined);
  for (const instance of new Set(instances)) {
    const own = facts.get(instance);
    if (domain !== undefined && !domain.includes(parseInstanceId(instance).domain)) left.push(instance);
    else if (!needsFacts) kept.add(instance);
    else if (own === undefined) unjudged.push(instance);
    else if (matches(own, others)) kept.add(instance);
    else left.push(instance);
  }
  return { kept, left, unjudged };
}

function matches(facts: TaskFacts, filter: TaskFilter): boolean {
  const any = (wanted: readonly string[] | undefined, has: (value: string) => boolean): boolean =>
    wanted === undefined || wanted.some(has);
  return (
    any(filter.tier, (tier) => tier === facts.tier) &&
    any(filter.subfield, (subfield) => subfield === facts.subfield) &&
    any(filter.os, (os) => os === facts.os) &&
    any(filter.channel, (channel) => facts.channels.some((own) => own === channel)) &&
    any(filter.software, (part) =>
      facts.software.some((own) => own.toLowerCase().includes(part.toLowerCase())),
    )
  );
}
