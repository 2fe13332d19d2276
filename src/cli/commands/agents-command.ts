import { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { agentsDoctorCommand } from "./agents-doctor.ts";
import { agentsInstallCommand } from "./agents-install.ts";
import { agentsListCommand } from "./agents-list.ts";
import { agentsPruneCommand } from "./agents-prune.ts";
import { agentsShowCommand } from "./agents-show.ts";

/** `ale agents` */
export function agentsCommand(context: CliContext): Command {
  return new Command("agents")
    .description("See who can sit the exam, install their programs, and find what is missing.")
    .addHelpText("after", "\nExample: npx ale agents doctor")
    .addCommand(agentsListCommand(context))
    .addCommand(agentsShowCommand(context))
    .addCommand(agentsInstallCommand(context))
    .addCommand(agentsDoctorCommand(context))
    .addCommand(agentsPruneCommand(context));
}
