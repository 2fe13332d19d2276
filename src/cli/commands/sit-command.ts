import { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { defaultRunsDir } from "../find-run.ts";
import { type SitOptions, sitInstance } from "../sit-instance.ts";
import { collectOption } from "./collect-option.ts";

/** `ale sit` */
export function sitCommand(context: CliContext): Command {
  return new Command("sit")
    .description("Sit an instance yourself, on a page in the browser: an ordinary trial, graded alike.")
    .argument("<instance>", "domain/name@variant, or domain/name for its first instance")
    .option("--name <you>", "who sits: the contestant is human:<you>", "me")
    .option("--tasks-root <dir>", "look for packages here; may be given several times", collectOption)
    .option("--minutes <n>", "wall clock of the trial; never loosens the task's own limit")
    .option("--provider <name>", "where sandboxes are made")
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--identity <file>", "age identity that opens sealed packages")
    .option("--port <n>", "port of 127.0.0.1; 0 for any free one", "0")
    .option("--json", "print the outcome as JSON; the address stays on standard error")
    .addHelpText("after", "\nExample: npx ale sit business_finance/bank_reconciliation@march --name ada")
    .action((instance: string, options: SitOptions) => sitInstance(context, instance, options));
}
