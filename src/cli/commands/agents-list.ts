import { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { createHarnesses } from "../create-harnesses.ts";
import { type ProgramState, programState } from "../examine-agents.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";
import { collectOption } from "./collect-option.ts";

interface ListOptions {
  readonly harnessFile?: readonly string[];
  readonly json?: boolean;
}

/** `ale agents ls` */
export function agentsListCommand(context: CliContext): Command {
  return new Command("ls")
    .description("List the harnesses: baselines, our own, and the programs of others.")
    .option("--harness-file <file>", "add a harness described by a YAML file", collectOption)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale agents ls")
    .action(async (options: ListOptions) => {
      const harnesses = await createHarnesses(context, options.harnessFile);
      const rows = await Promise.all(
        [...harnesses.byName.values()].map(async (harness) => {
          const { name, summary, wires = [] } = harness;
          return { name, summary, wires, program: await programState(harness, harnesses) };
        }),
      );
      if (options.json === true) return printJson(rows, context.out);
      context.out.write(
        textTable(
          [
            { title: "harness", cell: (row) => row.name },
            { title: "program", cell: (row) => programText(row.program) },
            { title: "wires", cell: (row) => row.wires.join(" ") || "-" },
            { title: "what it is", cell: (row) => row.summary },
          ],
          rows,
        ),
      );
    });
}

/** Where a program is, in a few words. */
export function programText(program: ProgramState): string {
  switch (program.kind) {
    case "built-in":
      return "built in";
    case "in-image":
      return "in the image";
    case "installed":
      return program.version;
    case "not-installed":
      return `${program.version}, not installed`;
  }
}
