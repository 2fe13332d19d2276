import { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { modelsCheckCommand } from "./models-check.ts";
import { modelsInitCommand } from "./models-init.ts";
import { modelsListCommand } from "./models-list.ts";

/** `ale models` */
export function modelsCommand(context: CliContext): Command {
  return new Command("models")
    .description("See which models there are, and whether they answer.")
    .addHelpText("after", "\nExample: npx ale models check")
    .addCommand(modelsInitCommand(context))
    .addCommand(modelsListCommand(context))
    .addCommand(modelsCheckCommand(context));
}
