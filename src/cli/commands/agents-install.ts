import { Command } from "commander";
import { AleError } from "../../contract/ale-error.ts";
import type { InstallProgress } from "../../harness/install/harness-store.ts";
import { chooseHarness } from "../choose-harness.ts";
import type { CliContext } from "../cli-context.ts";
import { createHarnesses } from "../create-harnesses.ts";
import { printJson } from "../output/print-json.ts";
import { collectOption } from "./collect-option.ts";

interface InstallOptions {
  readonly harnessFile?: readonly string[];
  readonly json?: boolean;
}

const progressTexts: Readonly<Record<InstallProgress["state"], string>> = {
  waiting: "another process is installing it; waiting",
  installing: "installing from npm",
  installed: "installed",
};

/** `ale agents install` */
export function agentsInstallCommand(context: CliContext): Command {
  return new Command("install")
    .description(
      "Install programs of harnesses, each pinned, once for this user; trials then need no network for it.",
    )
    .argument("[harnesses...]", "as ale agents ls names them; every one that is pinned by default")
    .option("--harness-file <file>", "add a harness described by a YAML file", collectOption)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale agents install claude-code codex")
    .action(async (names: readonly string[], options: InstallOptions) => {
      const harnesses = await createHarnesses(context, options.harnessFile);
      for (const name of names) refuseWithoutProgram(harnesses, chooseHarness(harnesses, name).name);
      const wanted = names.length > 0 ? names : [...harnesses.programs.keys()];
      const installed = [];
      for (const name of new Set(wanted)) {
        if ((await harnesses.store.pinned(name)) === undefined) continue;
        installed.push(
          await harnesses.store.install(name, ({ version, state }) => {
            context.err.write(`${name} ${version}: ${progressTexts[state]}\n`);
          }),
        );
      }
      if (options.json === true) return printJson(installed, context.out);
      for (const { name, version, dir } of installed) context.out.write(`${name} ${version} is in ${dir}\n`);
    });
}

function refuseWithoutProgram(
  { programs }: { readonly programs: ReadonlyMap<string, { readonly inImage?: boolean }> },
  name: string,
): void {
  const program = programs.get(name);
  if (program !== undefined && program.inImage !== true) return;
  throw new AleError({
    code: "nothing-to-install",
    message: `${name} has no program to install: it is ${program === undefined ? "part of ale" : "in the image"}`,
    remedy: program === undefined ? "use it as it is" : "put it into the image that the sandbox is made of",
    fields: { harness: name },
  });
}
