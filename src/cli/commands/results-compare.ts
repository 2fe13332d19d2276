import { basename } from "node:path";
import { Command } from "commander";
import { type ComparisonDetails, compareDetails, type SideDifference } from "../../board/compare-details.ts";
import { type Comparison, compareEntries, type MeasureDifference } from "../../board/compare-entries.ts";
import { type Behaviour, behaviourOf } from "../../board/failures/behaviour.ts";
import { readTrace } from "../../board/failures/read-trace.ts";
import { AleError } from "../../contract/ale-error.ts";
import { commonPolicy } from "../board-input.ts";
import type { CliContext } from "../cli-context.ts";
import { type ComparisonSide, chooseSides, readSide } from "../comparison-side.ts";
import { defaultRunsDir } from "../find-run.ts";
import { points } from "../output/figure-text.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";

interface CompareOptions {
  readonly comparableOnly?: boolean;
  readonly runsDir: string;
  readonly json?: boolean;
}

/** Drawn for the bootstrap intervals, with the first run's seed. */
const resamples = 4000;

type Shown = Comparison & ComparisonDetails & { readonly runs: readonly [string, string] };

/** `ale results compare` */
export function resultsCompareCommand(context: CliContext): Command {
  return new Command("compare")
    .description("Compare two runs or contestants on the instances they share: the second against the first.")
    .argument("<first>", "run, run:contestant, or :contestant of the newest run")
    .argument("<second>", "likewise")
    .option("--comparable-only", "leave out shared instances that were graded under other conditions")
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale results compare last-week this-week")
    .action(async (one: string, other: string, options: CompareOptions) => {
      const named = [
        await readSide(one, options.runsDir, context.cwd),
        await readSide(other, options.runsDir, context.cwd),
      ] as const;
      const policy = commonPolicy(named.map((side) => side.run));
      const [first, second] = chooseSides(...named);
      const bootstrap = { resamples, seed: first.run.plan.file.seed };
      const comparison = compareEntries(first.entry, second.entry, { policy, bootstrap });
      refuseUnequal(comparison, options.comparableOnly === true);
      const behaviours = new Map([...(await behavioursOf(first)), ...(await behavioursOf(second))]);
      const details = compareDetails(first.entry, second.entry, {
        policy,
        behaviourOf: (result) => behaviours.get(result),
      });
      const shown: Shown = { ...comparison, ...details, runs: [first.run.dir, second.run.dir] };
      if (options.json === true) printJson(shown, context.out);
      else context.out.write(comparisonText(shown));
    });
}

function refuseUnequal(comparison: Comparison, comparableOnly: boolean): void {
  const { notComparable, sharedInstances, differences } = comparison;
  const fields = differences
    .filter((difference) => difference.field !== "instances")
    .slice(0, 6)
    .map(({ field, firstValue, secondValue }) => `\n  ${field}: ${firstValue} against ${secondValue}`)
    .join("");
  if (notComparable.length > 0 && !(comparableOnly && sharedInstances > 0)) {
    throw new AleError({
      code: "unequal-keys",
      message: `${notComparable.length} shared instances were graded under other conditions, so that a difference would not be the contestants':${fields}`,
      remedy:
        sharedInstances > 0
          ? `${sharedInstances} shared instances are comparable: add --comparable-only to compare on these alone`
          : "run one of them again under the other's conditions",
      fields: { instances: notComparable },
    });
  }
  if (sharedInstances === 0) {
    throw new AleError({
      code: "nothing-to-compare",
      message: `${comparison.first} and ${comparison.second} share no instance with a known score`,
      remedy: "give two runs of the same tasks",
    });
  }
}

async function behavioursOf({ run, entry }: ComparisonSide): Promise<ReadonlyMap<unknown, Behaviour>> {
  const dirs = new Map(run.attempts.map(({ result, dir }) => [result, dir]));
  const found = new Map<unknown, Behaviour>();
  for (const { counted } of entry.trials) {
    const dir = dirs.get(counted?.result);
    if (counted === undefined || dir === undefined) continue;
    const behaviour = behaviourOf(await readTrace({ dir }));
    if (behaviour !== undefined) found.set(counted.result, behaviour);
  }
  return found;
}

function comparisonText(shown: Shown): string {
  const [first, second] = [
    `${basename(shown.runs[0])}:${shown.first}`,
    `${basename(shown.runs[1])}:${shown.second}`,
  ];
  const left =
    shown.onlyFirst + shown.onlySecond + shown.notComparable.length === 0
      ? ""
      : `left out: ${shown.onlyFirst} instances only of the first, ${shown.onlySecond} only of the second, ${shown.notComparable.length} not comparable\n`;
  return [
    `${second} against ${first}, on ${shown.sharedInstances} shared instances of ${shown.sharedWorkflows} workflows\n${left}`,
    `${measureText("full pass", shown.fullPass)}${measureText("mean score", shown.mean)}`,
    changesText(shown.fullPass, shown.mean),
    shown.domains.length < 2 ? "" : domainsText(shown),
    stagesText(shown),
    amountsText(shown),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function measureText(name: string, measure: MeasureDifference): string {
  if (measure.difference === null) return `${name}: unknown, ${measure.differenceReason}\n`;
  const interval =
    measure.low === null || measure.high === null
      ? `no interval: ${measure.lowReason}`
      : `[${signed(measure.low)}, ${signed(measure.high)}]`;
  const bootstrap =
    typeof measure.bootstrapLow === "number" && typeof measure.bootstrapHigh === "number"
      ? `  bootstrap [${signed(measure.bootstrapLow)}, ${signed(measure.bootstrapHigh)}]`
      : "";
  const p = measure.p === null ? `p unknown: ${measure.pReason}` : `p = ${measure.p.toPrecision(2)}`;
  return `${name.padEnd(10)}  ${signed(measure.difference)} points  ${interval}  ${p} (${measure.test})${bootstrap}\n`;
}

function signed(share: number): string {
  return `${share > 0 ? "+" : ""}${points(share)}`;
}

function changesText(fullPass: MeasureDifference, mean: MeasureDifference): string {
  const list = (title: string, instances: readonly string[]): string =>
    `${title}: ${instances.length === 0 ? "none" : instances.join(", ")}\n`;
  return [
    list("passes gained", fullPass.gained),
    list("passes lost", fullPass.lost),
    list("score gained", mean.gained),
    list("score lost", mean.lost),
  ].join("");
}

function domainsText({ domains }: Shown): string {
  return textTable<Shown["domains"][number]>(
    [
      { title: "domain", cell: (row) => row.domain },
      { title: "instances", align: "right", cell: (row) => String(row.sharedInstances) },
      { title: "full pass", align: "right", cell: (row) => difference(row.fullPass) },
      { title: "mean", align: "right", cell: (row) => difference(row.mean) },
      { title: "p (Holm)", align: "right", cell: (row) => row.pHolm?.toPrecision(2) ?? "unknown" },
    ],
    domains,
  );
}

function difference(measure: MeasureDifference): string {
  return measure.difference === null ? "–" : signed(measure.difference);
}

function stagesText({ stages }: Shown): string {
  const changed = stages.filter((stage) => stage.difference !== 0);
  if (changed.length === 0) return stages.length === 0 ? "" : "no stage differs\n";
  return textTable<(typeof changed)[number]>(
    [
      { title: "workflow", cell: (row) => row.workflow },
      { title: "stage", cell: (row) => row.stage },
      { title: "first", align: "right", cell: (row) => points(row.first) },
      { title: "second", align: "right", cell: (row) => points(row.second) },
      { title: "change", align: "right", cell: (row) => signed(row.difference) },
    ],
    changed,
  );
}

function amountsText({ amounts, behaviour }: Shown): string {
  const told = behaviour.filter((row) => row.difference !== null);
  const untold =
    told.length === behaviour.length
      ? ""
      : `agents' behaviour: ${behaviour[0]?.differenceReason ?? "unknown"}\n`;
  const rows = [
    ...amounts.map(({ amount, ...row }) => ({ name: amount, ...row })),
    ...told.map(({ what, ...row }) => ({ name: `agent ${what}`, ...row })),
  ];
  const table = textTable<SideDifference & { readonly name: string }>(
    [
      { title: "per trial", cell: (row) => row.name },
      { title: "first", align: "right", cell: (row) => plain(row.first) },
      { title: "second", align: "right", cell: (row) => plain(row.second) },
      { title: "change", align: "right", cell: (row) => plain(row.difference) },
      {
        title: "95%",
        cell: (row) =>
          row.low === null || row.high === null
            ? (row.differenceReason ?? "none")
            : `[${plain(row.low)}, ${plain(row.high)}]`,
      },
    ],
    rows,
  );
  return `${table}${untold}`;
}

function plain(value: number | null): string {
  if (value === null) return "–";
  return Math.abs(value) >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toPrecision(3);
}
