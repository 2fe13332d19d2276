import { writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { stringify } from "yaml";
import { boardEntries } from "../../board/board-entry.ts";
import { pilotSpread } from "../../board/plan/pilot-spread.ts";
import {
  assumedSpread,
  type SampleOutlook,
  type Spread,
  sampleOutlook,
} from "../../board/plan/sample-outlook.ts";
import { type StratifiedSample, type Stratum, stratifiedSample } from "../../board/plan/stratified-sample.ts";
import { AleError } from "../../contract/ale-error.ts";
import type { ExamFile } from "../../contract/exam-file.ts";
import { createRandom } from "../../contract/random.ts";
import { openRun } from "../../record/open-run.ts";
import { leaveOutDrafts } from "../../task/leave-out-drafts.ts";
import type { CliContext } from "../cli-context.ts";
import { findDefaultTasks } from "../find-default-tasks.ts";
import { defaultRunsDir, findRun } from "../find-run.ts";
import { points } from "../output/figure-text.ts";
import { printFindings } from "../output/print-findings.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";
import { readExamFile } from "../read-exam-file.ts";
import { chooseInstances, readTasks } from "../read-tasks.ts";
import { collectOption } from "./collect-option.ts";
import { wholeNumber } from "./whole-number.ts";

interface PlanOptions {
  readonly sample: number;
  readonly seed?: number;
  readonly task?: readonly string[];
  readonly tasksRoot?: readonly string[];
  readonly pilot?: string;
  readonly passRate: number;
  readonly disagreement: number;
  readonly agent?: readonly string[];
  readonly write?: string;
  readonly runsDir: string;
  readonly json?: boolean;
}

/** `ale plan` */
export function planCommand(context: CliContext): Command {
  return new Command("plan")
    .description("Draw a small stratified sample of tasks, and say what it can tell and what it cannot.")
    .argument("[exam]", "exam.yaml whose contestants and tasks to plan for; all tasks by default")
    .option("--sample <n>", "instances to draw", wholeNumber, 15)
    .option("--seed <n>", "of the draw; the exam's by default", seedNumber)
    .option("--task <glob>", "draw from these instances only", collectOption)
    .option("--tasks-root <dir>", "look for packages here; may be given several times", collectOption)
    .option("--pilot <run>", "take the spread of scores from this run instead of assuming it")
    .option("--pass-rate <share>", "assumed share of tasks that a contestant passes", share, 0.3)
    .option("--disagreement <share>", "assumed share of tasks that two contestants part on", share, 0.3)
    .option("--agent <harness>", "contestants of the exam to write, when no exam is given", collectOption)
    .option("--write <file>", "write an exam.yaml of the sample")
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale plan exams/demonstration.yaml --sample 15 --write sample.yaml")
    .action(async (exam: string | undefined, options: PlanOptions) => {
      const base = exam === undefined ? undefined : await readExamFile(exam, context);
      const roots = options.tasksRoot?.map((root) => resolve(context.cwd, root)) ??
        base?.tasks.roots ?? [await findDefaultTasks(context.cwd)];
      const patterns = {
        include: options.task ?? base?.tasks.include ?? ["**"],
        exclude: base?.tasks.exclude ?? [],
      };
      const all = chooseInstances(await readTasks(context, roots), patterns);
      const { instances: chosen, findings } = leaveOutDrafts(all, patterns.include);
      printFindings(findings, context.err, context.cwd);
      const units = chosen.map(({ task: { manifest }, instance }) => ({
        instance: instance.id,
        workflow: manifest.id,
        domain: manifest.id.split("/")[0] ?? manifest.id,
        tier: manifest.tier,
      }));
      if (units.length === 0) {
        throw new AleError({ code: "nothing-to-plan", message: `there are no tasks in ${roots.join(", ")}` });
      }
      const seed = options.seed ?? base?.seed ?? 0;
      const sample = stratifiedSample(units, options.sample, createRandom(`sample ${seed}`));
      const outlook = sampleOutlook(sample, await spreadOf(options, context));
      const written = await writeExam({ options, base, roots, seed, sample }, context.cwd);
      const instances = sample.units.map((unit) => unit.instance);
      const plan = { seed, available: units.length, instances, strata: sample.strata, outlook };
      if (options.json === true) printJson({ ...plan, written: written ?? null }, context.out);
      else context.out.write(planText(sample, outlook, units.length, seed, written));
    });
}

async function spreadOf(options: PlanOptions, context: CliContext): Promise<Spread> {
  if (options.pilot === undefined) return assumedSpread(options.passRate, options.disagreement);
  const run = await openRun(await findRun(options.pilot, options.runsDir, context.cwd));
  const entries = boardEntries([
    { dir: run.dir, plan: run.plan, lock: run.lock, attempts: await run.attempts() },
  ]);
  const spread = pilotSpread(entries, {
    policy: run.plan.scoring,
    measure: "full-pass",
    name: options.pilot,
  });
  if (spread.known) return spread.value;
  throw new AleError({
    code: "no-spread",
    message: spread.reason,
    remedy: "leave --pilot out and state --pass-rate and --disagreement instead",
  });
}

interface ExamToWrite {
  readonly options: PlanOptions;
  readonly base: ExamFile | undefined;
  readonly roots: readonly string[];
  readonly seed: number;
  readonly sample: StratifiedSample;
}

async function writeExam(exam: ExamToWrite, cwd: string): Promise<string | undefined> {
  const { options, base, roots, seed, sample } = exam;
  if (options.write === undefined) return undefined;
  const contestants = base?.contestants ?? options.agent?.map((harness) => ({ harness }));
  if (contestants === undefined) {
    throw new AleError({
      code: "usage",
      message: "an exam needs contestants",
      remedy: "give an exam.yaml to plan for, or name them with --agent",
    });
  }
  const path = resolve(cwd, options.write);
  const { schema: _, ...rest } = base ?? { schema: "", name: "sample" };
  const file = {
    schema: "ale/exam@1",
    ...rest,
    contestants,
    tasks: {
      roots: roots.map((root) => relative(dirname(path), root) || "."),
      include: sample.units.map((unit) => unit.instance),
    },
    seed,
  };
  try {
    await writeFile(path, stringify(file), { flag: "wx" });
  } catch (error) {
    throw new AleError({
      code: "not-written",
      message: `${options.write} was not written: ${error instanceof Error ? error.message : String(error)}`,
      remedy: "an existing file is never replaced: give another name",
      cause: error,
    });
  }
  return options.write;
}

function planText(
  sample: StratifiedSample,
  outlook: SampleOutlook,
  available: number,
  seed: number,
  written: string | undefined,
): string {
  const strata = textTable<Stratum>(
    [
      { title: "domain", cell: (row) => row.domain },
      { title: "tier", cell: (row) => row.tier },
      { title: "workflows", align: "right", cell: (row) => String(row.workflows) },
      { title: "drawn", align: "right", cell: (row) => String(row.drawn) },
    ],
    sample.strata,
  );
  const needed = outlook.needed
    .map(({ difference, workflows }) => `${points(difference)} points: ${workflows} workflows`)
    .join("; ");
  return [
    `${sample.units.length} of ${available} instances, ${sample.workflows} workflows, seed ${seed}\n`,
    `${sample.units.map((unit) => `  ${unit.instance}\n`).join("")}`,
    strata,
    `what it can tell (${outlook.spread.source})\n`.concat(
      outlook.halfWidth === null
        ? `- nothing of a full-pass rate: ${outlook.halfWidthReason}\n`
        : `- a full-pass rate to about ±${points(outlook.halfWidth)} points (95%)\n`,
      `- if none passes, that the rate is at most ${points(outlook.highestWhenNonePass ?? 1)} points\n`,
      outlook.detectable === null
        ? `- no difference between two contestants, reliably: ${outlook.detectableReason}\n`
        : `- a difference of ${points(outlook.detectable)} points between two contestants, 4 times in 5\n`,
      `- for smaller differences: ${needed}\n`,
    ),
    `what it cannot\n${outlook.cannot.map((line) => `- ${line}\n`).join("")}`,
    ...(written === undefined ? [] : [`written to ${written}: npx ale run ${written}\n`]),
  ].join("\n");
}

function share(text: string): number {
  const number = Number(text);
  if (number > 0 && number < 1) return number;
  throw new InvalidArgumentError("It must be a share between 0 and 1, such as 0.3.");
}

function seedNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  throw new InvalidArgumentError("It must be a whole number from 0.");
}
