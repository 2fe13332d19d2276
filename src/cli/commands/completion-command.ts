import { Argument, Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { completionScript, type Shell } from "../completion.ts";

/** `ale completion`; `program` gives the tree once it is whole. */
export function completionCommand(context: CliContext, program: () => Command): Command {
  return new Command("completion")
    .description("Print a completion script for a shell.")
    .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", '\nExample: eval "$(npx ale completion bash)"')
    .action((shell: Shell) => context.out.write(completionScript(program(), shell)));
}
