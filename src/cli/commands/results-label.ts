import { resolve } from "node:path";
import { Command, Option } from "commander";
import { nullable } from "../../board/nullable.ts";
import { AleError } from "../../contract/ale-error.ts";
import type { FailureScheme } from "../../contract/failure-label.ts";
import { recordLabel } from "../../record/label-log.ts";
import { openRun } from "../../record/open-run.ts";
import type { CliContext } from "../cli-context.ts";
import { defaultRunsDir, findRun } from "../find-run.ts";
import { formatDollars } from "../output/format-number.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";
import { readFailureScheme } from "../read-failures.ts";
import { chooseAttempt } from "./choose-attempt.ts";
import { labelByModel, type ModelLabel } from "./label-by-model.ts";

interface LabelOptions {
  readonly coder?: string;
  readonly by: "person" | "model";
  readonly byModel?: string;
  readonly models?: string;
  readonly note: string;
  readonly scheme?: string;
  readonly run?: string;
  readonly attempt?: string;
  readonly runsDir: string;
  readonly json?: boolean;
}

/** `ale results label` */
export function resultsLabelCommand(context: CliContext): Command {
  return new Command("label")
    .description("Say why a trial failed. Without a trial: the labels there are, with their decision rules.")
    .argument("[trial]", "trial id, or a part of it that no other trial has")
    .argument("[label]", "such as domain-gap")
    .option("--coder <name>", "who decided")
    .addOption(new Option("--by <who>", "always shown apart").choices(["person", "model"]).default("person"))
    .option(
      "--by-model <model>",
      "have this model of the models file label what failed, or what failed of the trial: it is sent how attempts ended, what they did last, and the checks without their evidence",
    )
    .option("--models <file>", "models file; models.yaml here or in your config folder by default")
    .option("--note <text>", "why, in a sentence", "")
    .option("--scheme <file>", "label scheme; ALE's by default")
    .option("--run <run>", "run directory or its name; the newest by default")
    .option("--attempt <n>", "this attempt; the last finished by default")
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      '\nExample: npx ale results label nop.legal incomplete --coder ada --note "no file"',
    )
    .action(async (trial: string | undefined, label: string | undefined, options: LabelOptions) => {
      const scheme = await readFailureScheme(
        options.scheme === undefined ? undefined : resolve(context.cwd, options.scheme),
      );
      if (options.byModel !== undefined) {
        await showModelLabels(context, { ...options, byModel: options.byModel }, scheme, trial);
        return;
      }
      if (trial === undefined || label === undefined) {
        if (options.json === true) printJson(scheme, context.out);
        else context.out.write(schemeText(scheme));
        return;
      }
      checkLabel(scheme, label);
      if (options.coder === undefined) {
        throw new AleError({
          code: "usage",
          message: "a label needs its coder",
          remedy: "add --coder <name>",
        });
      }
      const run = await openRun(await findRun(options.run, options.runsDir, context.cwd));
      const attempt = chooseAttempt(await run.attempts(), trial, options.attempt);
      const { coder, by, note } = options;
      const at = context.clock.now();
      const entry = { schema: "ale/label@1", coder, by, scheme: scheme.name, label, note, at } as const;
      await recordLabel(attempt.dir, entry);
      if (options.json === true) printJson({ dir: attempt.dir, ...entry }, context.out);
      else context.out.write(`${attempt.trial}, attempt ${attempt.attempt}: ${label} by ${coder}\n`);
    });
}

async function showModelLabels(
  context: CliContext,
  options: LabelOptions & { readonly byModel: string },
  scheme: FailureScheme,
  trial: string | undefined,
): Promise<void> {
  const { byModel: model, models } = options;
  const run = await openRun(await findRun(options.run, options.runsDir, context.cwd));
  const report = await labelByModel(context, run, {
    model,
    scheme,
    ...(models === undefined ? {} : { models }),
    ...(trial === undefined ? {} : { trial }),
  });
  const lost = report.labels.filter(({ kind }) => kind === "failed" || kind === "unusable");
  if (lost.length > 0) context.setExitStatus(1);
  const { labels, costUsd } = report;
  if (options.json === true) {
    printJson({ run: run.dir, model, labels, ...nullable("costUsd", costUsd) }, context.out);
    return;
  }
  const count = (kind: ModelLabel["kind"]): number => labels.filter((label) => label.kind === kind).length;
  context.out.write(
    [
      ...labels.map((label) => `${label.trial}, attempt ${label.attempt}: ${modelWords(label)}\n`),
      `${model}, a model, labelled ${count("label")}, could not tell ${count("cannot-tell")}; ${lost.length} without a usable answer; `,
      `cost ${costUsd.known ? formatDollars(costUsd.value) : `unknown: ${costUsd.reason}`}\n`,
    ].join(""),
  );
}

function modelWords(label: ModelLabel): string {
  switch (label.kind) {
    case "label":
      return `${label.label}, because ${label.because}`;
    case "cannot-tell":
      return `cannot tell, because ${label.because}`;
    case "already":
      return "labelled before";
    case "unusable":
    case "failed":
      return `no label: ${label.reason}`;
  }
}

function checkLabel(scheme: FailureScheme, label: string): void {
  const ids = scheme.classes.flatMap((group) => group.subclasses.map((subclass) => subclass.id));
  if (ids.includes(label)) return;
  throw new AleError({
    code: "unknown-label",
    message: `${label} is not a label of ${scheme.name}`,
    remedy: `there are ${ids.join(", ")}; npx ale results label tells what they mean`,
  });
}

function schemeText(scheme: FailureScheme): string {
  const rows = scheme.classes.flatMap((group) =>
    group.subclasses.map((subclass) => ({ group: group.name, ...subclass })),
  );
  return textTable<(typeof rows)[number]>(
    [
      { title: "class", cell: (row) => row.group },
      { title: "label", cell: (row) => row.id },
      { title: "when", cell: (row) => row.rule },
    ],
    rows,
  );
}
