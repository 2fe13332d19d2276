import { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { friendlyPath } from "../friendly-path.ts";
import { type ListedModel, listModels } from "../models-of-file.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";
import { modelsPlaces, readModels } from "../read-models.ts";

interface ListOptions {
  readonly models?: string;
  readonly json?: boolean;
}

/** `ale models ls` */
export function modelsListCommand(context: CliContext): Command {
  return new Command("ls")
    .description("List the models that contestants may name: those of the models file, and the built-in one.")
    .option("--models <file>", "models and their servers; default models.yaml here, or the user's own")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale models ls")
    .action(async (options: ListOptions) => {
      const found = await readModels(context, options.models);
      const rows = listModels(found, context.clock.now());
      if (options.json === true) {
        return printJson(
          rows.map(({ price, ...row }) => ({ ...row, ...priceFields(price) })),
          context.out,
        );
      }
      context.out.write(
        textTable(
          [
            { title: "model", cell: (row) => row.model },
            { title: "server", cell: (row) => row.server },
            { title: "wires", cell: (row) => row.wires.join(" ") },
            { title: "$ per million in / out", cell: (row) => priceText(row.price) },
            { title: "key", cell: keyText },
          ],
          rows,
        ),
      );
      if (found.path === undefined) {
        const places = modelsPlaces(context).map((path) => friendlyPath(path, context.cwd));
        context.out.write(
          `\nno models file: neither ${places.join(" nor ")}; write one with npx ale models init\n`,
        );
      }
    });
}

/** Price as fields: absent numbers are `null` with a reason. */
export function priceFields(price: ListedModel["price"]): Readonly<Record<string, number | string | null>> {
  if (price.known) return { inputUsd: price.value.input, outputUsd: price.value.output };
  return { inputUsd: null, outputUsd: null, priceReason: price.reason };
}

/** Price for people. */
export function priceText(price: ListedModel["price"]): string {
  if (!price.known) return "unknown";
  const amount = (value: number): string => String(Number(value.toFixed(4)));
  return `${amount(price.value.input)} / ${amount(price.value.output)}`;
}

function keyText({ key, variable }: ListedModel): string {
  return variable === undefined ? key : key === "set" ? `${variable} is set` : `${variable} is missing`;
}
