import { Command, Option } from "commander";
import type { TaskManifest } from "../../contract/task-manifest.ts";
import type { SelectedInstance } from "../../task/select-instances.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import type { CliContext } from "../cli-context.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";
import { chooseInstances, readTasks } from "../read-tasks.ts";
import { collectOption } from "./collect-option.ts";

interface ListOptions {
  readonly tasksRoot?: readonly string[];
  readonly tier?: TaskManifest["tier"];
  readonly json?: boolean;
}

/** `ale tasks ls` */
export function tasksListCommand(context: CliContext): Command {
  return new Command("ls")
    .description("List the instances that can be sat.")
    .argument("[pattern...]", "globs over domain/name@variant; all by default")
    .option("--tasks-root <dir>", "look for packages here; may be given several times", collectOption)
    .addOption(
      new Option("--tier <tier>", "only this tier").choices(["near-term", "full-spectrum", "last-exam"]),
    )
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale tasks ls 'legal/*'")
    .action(async (patterns: readonly string[], options: ListOptions) => {
      const found = await readTasks(context, options.tasksRoot);
      const include = patterns.length === 0 ? ["**"] : patterns;
      const chosen = (
        found.packages.length === 0 ? [] : chooseInstances(found, { include, exclude: [] })
      ).filter(({ task }) => options.tier === undefined || task.manifest.tier === options.tier);
      if (options.json === true) printJson(chosen.map(listed), context.out);
      else context.out.write(table(chosen));
    });
}

function listed({ task, instance }: SelectedInstance): Record<string, unknown> {
  const { manifest } = task;
  return {
    instance: instance.id,
    workflow: manifest.id,
    title: manifest.title,
    summary: manifest.summary,
    tier: manifest.tier,
    subfield: manifest.taxonomy.subfield,
    interface: manifest.interface,
    humanMinutes: manifest.provenance.human_minutes,
    pool: manifest.pool,
    format: task.format,
    sealed: task.sealed,
    draft: task.marks.length > 0,
    contentHash: task.contentHash,
    dir: task.dir,
  };
}

function table(chosen: readonly SelectedInstance[]): string {
  if (chosen.length === 0) return "no task was found\n";
  const rows = textTable<SelectedInstance>(
    [
      { title: "instance", cell: ({ instance }) => instance.id },
      { title: "tier", cell: ({ task }) => task.manifest.tier },
      {
        title: "minutes",
        align: "right",
        cell: ({ task }) => String(task.manifest.provenance.human_minutes),
      },
      { title: "title", cell: ({ task }) => titleOf(task) },
    ],
    chosen,
  );
  const workflows = new Set(chosen.map(({ task }) => task.manifest.id)).size;
  return `${rows}\n${chosen.length} instances of ${workflows} workflows; minutes are a professional's\n`;
}

/** A draft's own title may be one of the places to fill in. */
function titleOf({ manifest, marks }: TaskPackage): string {
  if (marks.length === 0) return manifest.title;
  return `draft, ${marks.length} ${marks.length === 1 ? "place" : "places"} to fill in: npx ale tasks check ${manifest.id}`;
}
