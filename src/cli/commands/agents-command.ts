import { Command } from "commander";
import { baselineHarnesses } from "../../harness/baselines/baseline-harnesses.ts";
import type { CliContext } from "../cli-context.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";
import { packageVersion } from "../package-info.ts";

/** `ale agents` */
export function agentsCommand(context: CliContext): Command {
  return new Command("agents")
    .description("See who can sit the exam.")
    .addHelpText("after", "\nExample: npx ale agents ls")
    .addCommand(
      new Command("ls")
        .description("List the harnesses.")
        .option("--json", "print JSON")
        .addHelpText("after", "\nExample: npx ale agents ls")
        .action(async (options: { readonly json?: boolean }) => {
          const harnesses = [...baselineHarnesses(packageVersion()).values()];
          const rows = harnesses.map(({ name, summary }) => ({ name, summary }));
          if (options.json === true) return printJson(rows, context.out);
          context.out.write(
            textTable(
              [
                { title: "harness", cell: (row) => row.name },
                { title: "what it is", cell: (row) => row.summary },
              ],
              rows,
            ),
          );
        }),
    );
}
