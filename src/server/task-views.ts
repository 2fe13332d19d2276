import type { TaskCard, TaskList, TaskSummary } from "./api/task-view.ts";
import type { TaxonomyView } from "./api/taxonomy-view.ts";
import type { LoadedRun } from "./loaded-run.ts";
import type { ServedTask, ServedTaxonomy } from "./served-task.ts";

/** Private workflows are for maintainers. */
export function isShown(task: ServedTask, maintainer: boolean): boolean {
  return maintainer || task.manifest.pool !== "private";
}

/** The gallery. */
export function taskList(
  tasks: readonly ServedTask[],
  taxonomy: ServedTaxonomy,
  maintainer: boolean,
): TaskList {
  const shown = tasks.filter((task) => isShown(task, maintainer));
  return { tasks: shown.map((task) => taskSummary(task, taxonomy)), hidden: tasks.length - shown.length };
}

function taskSummary({ manifest, instances }: ServedTask, taxonomy: ServedTaxonomy): TaskSummary {
  const { id, title, summary, tier, software, pool } = manifest;
  const subfield = manifest.taxonomy.subfield;
  const all = taxonomy.domains.flatMap((domain) => domain.subfields);
  return {
    id,
    title,
    summary,
    domain: id.split("/")[0] ?? id,
    subfield,
    subfieldName: all.find((candidate) => candidate.id === subfield)?.name ?? subfield,
    tier,
    os: manifest.sandbox.os,
    channels: manifest.interface,
    software,
    minutes: manifest.provenance.human_minutes,
    instances: instances.length,
    pool,
  };
}

/** One workflow's card. An instruction that cannot be read is left out. */
export async function taskCard(
  task: ServedTask,
  taxonomy: ServedTaxonomy,
  maintainer: boolean,
): Promise<TaskCard> {
  const { canary: _, instances: __, ...manifest } = task.manifest;
  const read = await Promise.allSettled(task.instances.map((instance) => task.instruction(instance.id)));
  const instances = task.instances.map((instance, index) => {
    const outcome = read[index];
    const { id, seed, params } = instance;
    const made = maintainer ? { seed, params } : {};
    return { id, ...made, ...(outcome?.status === "fulfilled" ? { instruction: outcome.value } : {}) };
  });
  return { summary: taskSummary(task, taxonomy), manifest, contentHash: task.contentHash, instances };
}

/** The taxonomy with what the tasks and runs at hand cover of it. */
export function taxonomyView(
  taxonomy: ServedTaxonomy,
  tasks: readonly ServedTask[],
  runs: readonly LoadedRun[],
): TaxonomyView {
  const examined = new Set(
    runs.flatMap((run) =>
      run.trials.filter((trial) => trial.counted !== undefined).map((trial) => trial.instance),
    ),
  );
  const bySubfield = Map.groupBy(tasks, (task) => task.manifest.taxonomy.subfield);
  return {
    domains: taxonomy.domains.map(({ id, code, name, instances, subfields }) => ({
      id,
      code,
      name,
      published: instances,
      subfields: subfields.map((subfield) => {
        const own = bySubfield.get(subfield.id) ?? [];
        const ids = own.flatMap((task) => task.instances.map((instance) => instance.id));
        return {
          id: subfield.id,
          name: subfield.name,
          published: subfield.instances,
          workflows: own.length,
          instances: ids.length,
          examined: ids.filter((instance) => examined.has(instance)).length,
        };
      }),
    })),
  };
}
