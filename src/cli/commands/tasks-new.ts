import { createRequire } from "node:module";
import { join, resolve, sep } from "node:path";
import { Command, Option } from "commander";
import { scaffoldTask } from "../../task/scaffold/scaffold-task.ts";
import type { CliContext } from "../cli-context.ts";
import { friendlyPath } from "../friendly-path.ts";
import { printJson } from "../output/print-json.ts";
import { packageRoot } from "../package-info.ts";

interface NewOptions {
  readonly tasksRoot: string;
  readonly output: "csv" | "json";
  readonly json?: boolean;
}

/** `ale tasks new` */
export function tasksNewCommand(context: CliContext): Command {
  return new Command("new")
    .description("Write a new package: a small whole task that works, with marks where the author goes on.")
    .argument("<id>", "domain/name")
    .option("--tasks-root <dir>", "the folder of tasks it goes into", "tasks")
    .addOption(
      new Option("--output <kind>", "what the sample work hands in").choices(["csv", "json"]).default("csv"),
    )
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale tasks new business_finance/stock_take")
    .action(async (id: string, options: NewOptions) => {
      const dir = await scaffoldTask({
        id,
        dir: resolve(context.cwd, options.tasksRoot),
        kind: options.output,
      });
      if (options.json === true) return printJson({ workflow: id, dir }, context.out);
      const shown = friendlyPath(dir, context.cwd);
      const lines = findsAle(join(dir, "main.ts"))
        ? ownCommands(join(shown, "main.ts"))
        : commandsElsewhere(id, options.tasksRoot);
      context.out.write(`${[`${id} is in ${shown}`, ...lines].join("\n  ")}\n`);
    });
}

/** Whether Node, started on this file, finds the package `ale` that a task's program imports. */
function findsAle(main: string): boolean {
  try {
    createRequire(main).resolve("ale/task");
    return true;
  } catch {
    return false;
  }
}

function ownCommands(main: string): readonly string[] {
  // A checkout brings its own Node; installed, ale runs on the user's.
  const node = packageRoot.includes(`${sep}node_modules${sep}`) ? "node" : "npx node";
  return [
    `${node} ${main} solve   the sample works already`,
    `${node} ${main} check   lists the places to fill in`,
  ];
}

function commandsElsewhere(id: string, tasksRoot: string): readonly string[] {
  const root = tasksRoot === "tasks" ? "" : ` --tasks-root ${tasksRoot}`;
  return [
    `npx ale tasks check ${id}${root}   the sample works already; lists the places to fill in`,
    "main.ts itself runs only where Node finds the package ale: inside this package, or beside an ale that npm installed",
  ];
}
