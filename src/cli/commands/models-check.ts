import { Command } from "commander";
import { AleError } from "../../contract/ale-error.ts";
import { nearest } from "../../yaml/nearest.ts";
import type { CliContext } from "../cli-context.ts";
import { type ListedModel, listModels } from "../models-of-file.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";
import { probeFields } from "../probe-fields.ts";
import { askedModels, type ModelProbe, probeModels } from "../probe-models.ts";
import { outcomeText, remedyFor } from "../probe-text.ts";
import { type Models, readModels } from "../read-models.ts";
import { priceFields, priceText } from "./models-list.ts";

interface CheckOptions {
  readonly models?: string;
  readonly json?: boolean;
}

/** `ale models check` */
export function modelsCheckCommand(context: CliContext): Command {
  return new Command("check")
    .description(
      "Ask every model one short question by every wire of its server, and say which answer, under which name, and whether their price is known. It costs a few tokens.",
    )
    .argument("[models...]", "only these; every one by default")
    .option("--models <file>", "models and their servers; default models.yaml here, or the user's own")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale models check")
    .action(async (names: readonly string[], options: CheckOptions) => {
      const found = await readModels(context, options.models);
      refuseUnknown(found, names);
      const asked = askedModels(found.models, names.length === 0 ? undefined : names);
      const probes = await probeModels(context, found, asked);
      // A key that is not set is no fault of the file's, unless that very model was asked for.
      const isFault = ({ outcome }: ModelProbe): boolean =>
        outcome.kind === "answers"
          ? outcome.servedAs !== undefined
          : outcome.kind !== "no-key" || names.length > 0;
      if (probes.some(isFault)) context.setExitStatus(1);
      const priceOf = new Map(
        listModels(found, context.clock.now()).map(({ model, price }) => [model, price] as const),
      );
      const rows = probes.map((probe) => ({
        ...probe,
        price:
          priceOf.get(probe.model) ?? ({ known: false, reason: "it is not in the models file" } as const),
      }));
      if (options.json === true) {
        return printJson(
          rows.map(({ price, ...probe }) => ({
            ...probeFields(probe),
            ...priceFields(price),
            ...remedyFields(probe),
          })),
          context.out,
        );
      }
      if (rows.length === 0) {
        context.out.write("no models to ask; write a models file with: npx ale models init\n");
        return;
      }
      context.out.write(
        textTable(
          [
            { title: "model", cell: (row) => row.model },
            { title: "server", cell: (row) => row.upstream },
            { title: "wire", cell: (row) => row.wire },
            { title: "$ per million in / out", cell: (row) => priceText(row.price) },
            { title: "result", cell: (row) => outcomeText(row) },
          ],
          rows,
        ),
      );
      const remedies = [...new Set(rows.flatMap((row) => [remedyFor(row) ?? [], priceRemedy(row)].flat()))];
      if (remedies.length > 0) context.out.write(`\n${remedies.map((remedy) => `- ${remedy}\n`).join("")}`);
    });
}

function refuseUnknown({ models, path }: Models, names: readonly string[]): void {
  const known = Object.keys(models.models);
  const name = names.find((each) => !known.includes(each));
  if (name === undefined) return;
  const meant = nearest(name, known);
  throw new AleError({
    code: "unknown-model",
    message: `the model ${name} is not in ${path ?? "models.yaml, which is not there"}`,
    remedy: meant === undefined ? `there are: ${known.join(", ") || "none"}` : `did you mean ${meant}?`,
  });
}

/** A model without a price is of use all the same, but for budgets. */
function priceRemedy({ model, price }: Pick<ListedModel, "model" | "price">): readonly string[] {
  if (price.known) return [];
  return [
    `${model}: what it costs is unknown (${price.reason}), and it sits no exam with a budget; give models.${model}.prices`,
  ];
}

function remedyFields(probe: ModelProbe): { readonly remedy?: string } {
  const remedy = remedyFor(probe);
  return remedy === undefined ? {} : { remedy };
}
