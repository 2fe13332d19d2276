import { resolve } from "node:path";
import { Command } from "commander";
import type { CompletionClaims } from "../../board/failures/false-completion.ts";
import type { AttemptJudgement } from "../../board/failures/judge-attempt.ts";
import {
  type FailureSummary,
  type LabelCount,
  summariseFailures,
} from "../../board/failures/summarise-failures.ts";
import { openRun } from "../../record/open-run.ts";
import type { CliContext } from "../cli-context.ts";
import { defaultRunsDir, findRun } from "../find-run.ts";
import { figureText, points } from "../output/figure-text.ts";
import { printFindings } from "../output/print-findings.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";
import { readFailureScheme, readFailures } from "../read-failures.ts";

interface FailuresOptions {
  readonly contestant?: string;
  readonly scheme?: string;
  readonly runsDir: string;
  readonly json?: boolean;
}

/** `ale results failures` */
export function resultsFailuresCommand(context: CliContext): Command {
  return new Command("failures")
    .description("Why trials failed: labels by people and by rules, false claims of completion, taint.")
    .argument("[run]", "run directory or its name; the newest run by default")
    .option("--contestant <name>", "only this contestant's")
    .option("--scheme <file>", "label scheme; ALE's by default")
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale results failures --contestant bluffer")
    .action(async (name: string | undefined, options: FailuresOptions) => {
      const run = await openRun(await findRun(name, options.runsDir, context.cwd));
      const scheme = await readFailureScheme(
        options.scheme === undefined ? undefined : resolve(context.cwd, options.scheme),
      );
      const { judgements, problems } = await readFailures(run);
      printFindings(problems, context.err, context.cwd);
      const chosen = judgements.filter(
        (judgement) => options.contestant === undefined || judgement.contestant === options.contestant,
      );
      const summary = { run: run.dir, ...summariseFailures(chosen, scheme) };
      if (options.json === true) printJson(summary, context.out);
      else context.out.write(failuresText(summary));
    });
}

function failuresText(summary: FailureSummary): string {
  const head = `${summary.failed.length} of ${summary.attempts} attempts that count did not pass in full\n`;
  return [
    head,
    ...summary.failed.map(attemptText),
    countsText(summary),
    claimsText(summary.completion),
    screenText(summary),
    taintText(summary),
  ].join("\n");
}

function attemptText(judgement: AttemptJudgement): string {
  const score = judgement.score.known ? judgement.score.value.toFixed(3) : "no score";
  const labels = judgement.labels.map(
    (label) =>
      `  ${label.coder}${label.by === "model" ? " (a model)" : ""}: ${label.label}${label.note === "" ? "" : `, ${label.note}`}\n`,
  );
  const rules = judgement.rules.map(
    (rule) =>
      `  rule ${rule.rule}: ${rule.meaning}\n${rule.evidence.map((line) => `    ${line}\n`).join("")}`,
  );
  const untold =
    judgement.untold.length === 0
      ? ""
      : `  cannot tell: ${[...Map.groupBy(judgement.untold, (item) => item.reason)]
          .map(([reason, items]) => `${items.map((item) => item.rule).join(", ")} (${reason})`)
          .join("; ")}\n`;
  return `${judgement.trial}  ${judgement.status}, ${score}\n${labels.join("")}${rules.join("")}${untold}`;
}

function countsText({ counts, agreement, scheme }: FailureSummary): string {
  const used = counts.filter((count) => count.people + count.model + count.rules > 0);
  const table = textTable<LabelCount>(
    [
      { title: "contestant", cell: (row) => row.contestant },
      { title: "class", cell: (row) => row.class },
      { title: "label", cell: (row) => row.label },
      { title: "people", align: "right", cell: (row) => String(row.people) },
      { title: "model", align: "right", cell: (row) => String(row.model) },
      { title: "rules", align: "right", cell: (row) => String(row.rules) },
    ],
    used,
  );
  const alpha = agreement.alpha === null ? `unknown: ${agreement.alphaReason}` : agreement.alpha.toFixed(3);
  const kappas = agreement.pairs.map(
    ({ first, second, kappa, kappaReason }) =>
      `Cohen's kappa of ${first} and ${second}: ${kappa === null ? `unknown: ${kappaReason}` : kappa.toFixed(3)}\n`,
  );
  return `labels of ${scheme}\n${used.length === 0 ? "none\n" : table}Krippendorff's alpha over ${agreement.units} attempts: ${alpha}\n${kappas.join("")}`;
}

function claimsText(claims: readonly CompletionClaims[]): string {
  return textTable<CompletionClaims>(
    [
      { title: "claims of", cell: (row) => row.contestant },
      { title: "said done", align: "right", cell: (row) => String(row.saidDone) },
      { title: "and passed", align: "right", cell: (row) => String(row.saidDoneAndPassed) },
      { title: "precision of done", cell: (row) => figureText(row.precision, points) },
      { title: "recall", cell: (row) => figureText(row.recall, points) },
      { title: "no claim", align: "right", cell: (row) => String(row.withoutClaim) },
    ],
    claims,
  );
}

function screenText({ screen }: FailureSummary): string {
  const count = (of: "avoided" | "cannotTell"): number => screen.reduce((sum, row) => sum + row[of], 0);
  const names = screen.filter((row) => row.avoided > 0).map((row) => `${row.contestant} ${row.avoided}`);
  const who = names.length === 0 ? "" : ` (${names.join(", ")})`;
  return `screen asked for and not used: ${count("avoided")} attempts${who}; ${count("cannotTell")} cannot be told\n`;
}

function taintText({ taint }: FailureSummary): string {
  const count = (verdict: string): number => taint.filter((item) => item.verdict === verdict).length;
  const lines = taint
    .filter((item) => item.verdict === "tainted")
    .map((item) => `  ${item.trial}\n${item.evidence.map((line) => `    ${line}\n`).join("")}`);
  return `taint: ${count("clean")} clean, ${count("tainted")} tainted, ${count("inconclusive")} inconclusive\n${lines.join("")}`;
}
