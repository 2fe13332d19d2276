import { resolve } from "node:path";
import { Command } from "commander";
import { createTaskWorkbench } from "../../exam/bench/create-task-workbench.ts";
import { sealPackage } from "../../task/seal/seal-package.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import type { CliContext } from "../cli-context.ts";
import { createBench } from "../create-bench.ts";
import { chooseProvider } from "../create-providers.ts";
import { friendlyPath } from "../friendly-path.ts";
import { printJson } from "../output/print-json.ts";
import { prepareFolders } from "../prepare-folders.ts";
import { chooseInstances, readTasks } from "../read-tasks.ts";
import { collectOption } from "./collect-option.ts";

interface SealOptions {
  readonly recipient: readonly string[];
  readonly into: string;
  readonly tasksRoot?: readonly string[];
  readonly provider: string;
  readonly json?: boolean;
}

/** `ale tasks seal` */
export function tasksSealCommand(context: CliContext): Command {
  return new Command("seal")
    .description("Write packages sealed: agents can sit them, only the key's holder can grade them.")
    .argument("<pattern...>", "workflows, as globs over domain/name")
    .requiredOption("--recipient <key>", "age public key; any of several opens it", collectOption)
    .option("--into <dir>", "where the sealed packages go", "sealed")
    .option("--tasks-root <dir>", "look for packages here; may be given several times", collectOption)
    .option("--provider <name>", "where inputs are generated", "auto")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale tasks seal legal/contract_portfolio_audit --recipient age1…")
    .action(async (patterns: readonly string[], options: SealOptions) => {
      const found = await readTasks(context, options.tasksRoot);
      const chosen = chooseInstances(found, { include: patterns, exclude: [] });
      await prepareFolders(context);
      const provider = chooseProvider(context, options.provider);
      const workbench = createTaskWorkbench(await createBench(context, { provider, run: "seal" }));
      const sealed: { readonly workflow: string; readonly dir: string }[] = [];
      for (const task of new Set<TaskPackage>(chosen.map((item) => item.task))) {
        const stagedInstances = [];
        for (const instance of task.instances) {
          const { input } = await workbench.stage(task, instance);
          stagedInstances.push({ variant: instance.variant, input });
        }
        const sealing = { recipients: options.recipient, stagedInstances };
        const dir = await sealPackage(task, sealing, resolve(context.cwd, options.into));
        sealed.push({ workflow: task.manifest.id, dir });
        if (options.json === true) continue;
        context.out.write(`${task.manifest.id} sealed in ${friendlyPath(dir, context.cwd)}\n`);
      }
      if (options.json === true) printJson(sealed, context.out);
    });
}
