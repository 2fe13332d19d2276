import { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { tasksCheckCommand } from "./tasks-check.ts";
import { tasksListCommand } from "./tasks-list.ts";
import { tasksNewCommand } from "./tasks-new.ts";
import { tasksSealCommand } from "./tasks-seal.ts";
import { tasksShowCommand } from "./tasks-show.ts";

/** `ale tasks` */
export function tasksCommand(context: CliContext): Command {
  return new Command("tasks")
    .description("Find, read, write, check and seal task packages.")
    .addHelpText("after", "\nExample: npx ale tasks ls")
    .addCommand(tasksListCommand(context))
    .addCommand(tasksShowCommand(context))
    .addCommand(tasksNewCommand(context))
    .addCommand(tasksCheckCommand(context))
    .addCommand(tasksSealCommand(context));
}
