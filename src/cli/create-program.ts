import { Command } from "commander";
import type { CliContext } from "./cli-context.ts";
import { agentsCommand } from "./commands/agents-command.ts";
import { boardCommand } from "./commands/board-command.ts";
import { completionCommand } from "./commands/completion-command.ts";
import { doctorCommand } from "./commands/doctor-command.ts";
import { modelsCommand } from "./commands/models-command.ts";
import { planCommand } from "./commands/plan-command.ts";
import { resultsCommand } from "./commands/results-command.ts";
import { runCommand } from "./commands/run-command.ts";
import { sandboxesCommand } from "./commands/sandboxes-command.ts";
import { serveCommand } from "./commands/serve-command.ts";
import { sitCommand } from "./commands/sit-command.ts";
import { tasksCommand } from "./commands/tasks-command.ts";
import { watchCommand } from "./commands/watch-command.ts";
import { packageVersion } from "./package-info.ts";

/** The whole command tree. Parsing throws a `CommanderError` instead of ending the process. */
export function createProgram(context: CliContext): Command {
  const program: Command = new Command("ale")
    .description("Agents' Last Exam: build the exam, sit it, grade it, publish it.")
    .version(packageVersion())
    // Options behind a command's name are that command's: `board` and its subcommands share some.
    .enablePositionalOptions()
    .addHelpText("after", "\nExample: npx ale run exams/demonstration.yaml")
    .addCommand(runCommand(context))
    .addCommand(sitCommand(context))
    .addCommand(watchCommand(context))
    .addCommand(tasksCommand(context))
    .addCommand(agentsCommand(context))
    .addCommand(modelsCommand(context))
    .addCommand(sandboxesCommand(context))
    .addCommand(resultsCommand(context))
    .addCommand(boardCommand(context))
    .addCommand(planCommand(context))
    .addCommand(serveCommand(context))
    .addCommand(doctorCommand(context))
    .addCommand(completionCommand(context, () => program));
  prepare(program, context);
  return program;
}

/** Commander does not hand these settings down to commands that were made apart. */
function prepare(command: Command, context: CliContext): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => context.out.write(text),
      writeErr: (text) => context.err.write(text),
      getOutHelpWidth: () => context.out.columns,
      getErrHelpWidth: () => context.err.columns,
    });
  for (const child of command.commands) prepare(child, context);
}
