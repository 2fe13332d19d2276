import { basename, resolve } from "node:path";
import { Command, Option } from "commander";
import { AleError } from "../../contract/ale-error.ts";
import type { ExamFile } from "../../contract/exam-file.ts";
import { type TrialStatus, trialStatuses } from "../../contract/trial-status.ts";
import { conductExam } from "../../exam/conduct/conduct-exam.ts";
import type { HarnessStore } from "../../harness/install/harness-store.ts";
import { openRun } from "../../record/open-run.ts";
import { readIndex } from "../../record/run-index.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import type { CliContext } from "../cli-context.ts";
import { createBench } from "../create-bench.ts";
import { createHarnesses } from "../create-harnesses.ts";
import { chooseProvider } from "../create-providers.ts";
import { examCapacity } from "../exam-capacity.ts";
import { examFromFlags, type RunFlags } from "../exam-from-flags.ts";
import { findDefaultTasks } from "../find-default-tasks.ts";
import { defaultRunsDir, findUnfinishedRun } from "../find-run.ts";
import { installHarnesses } from "../install-harnesses.ts";
import { isSitting } from "../is-sitting.ts";
import { openModelRoom } from "../open-model-room.ts";
import { printFindings } from "../output/print-findings.ts";
import { prepareFolders } from "../prepare-folders.ts";
import { createProgressDisplay } from "../progress/create-progress-display.ts";
import { readExamFile } from "../read-exam-file.ts";
import { readTasks } from "../read-tasks.ts";
import { reportRun } from "../report-run.ts";
import { type StartedRun, type StartRunOptions, startRun } from "../start-run.ts";
import { collectOption } from "./collect-option.ts";

interface RunOptions extends RunFlags {
  readonly runsDir: string;
  readonly resume?: string | true;
  readonly rerun?: readonly string[];
  readonly identity?: string;
  readonly models?: string;
  readonly script?: string;
  readonly harnessFile?: readonly string[];
  readonly install: boolean;
  readonly json?: boolean;
}

/** A run to conduct, and the packages its plan was or is now read from. */
interface PlannedRun extends StartedRun {
  readonly packages: readonly TaskPackage[];
}

/** `ale run` */
export function runCommand(context: CliContext): Command {
  return new Command("run")
    .description("Sit an exam: contestants on instances, graded, recorded. Resumes what was cut off.")
    .argument("[exam]", "an exam.yaml; flags change what it says")
    .option("--agent <harness>", "who sits it; several make a matrix", collectOption)
    .option("--model <model>", "model of the agents; several make a matrix", collectOption)
    .option("--effort <effort>", "reasoning effort, none … max; several make a matrix", collectOption)
    .option("--set <key=value>", "a setting of the harness; JSON values are taken as such", collectOption)
    .option("--task <glob>", "instances to sit, as globs over domain/name@variant", collectOption)
    .option("--exclude <glob>", "instances to leave out", collectOption)
    .option("--tasks-root <dir>", "look for packages here; may be given several times", collectOption)
    .option("--repeats <n>", "trials per contestant and instance")
    .option("--seed <n>", "seed of the admission order")
    .option("--minutes <n>", "wall clock of a trial; never loosens a task's own limit")
    .option("--budget <usd>", "stop admitting trials when this much is spent")
    .option("--concurrency <n>", "trials in flight at once")
    .option("--provider <name>", "where sandboxes are made")
    .addOption(
      new Option("--scoring <policy>", "what timeouts, refusals and failures of the house count as").choices([
        "observed",
        "ale-missing-zero",
      ]),
    )
    .option("--name <name>", "names the run directory")
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--resume [run]", "go on with a run; the newest unfinished one by default")
    .option("--rerun <status>", "with --resume: also sit again trials that ended so", collectOption)
    .option("--identity <file>", "age identity that opens sealed packages")
    .option("--models <file>", "models and their servers; default models.yaml here, or the user's own")
    .option("--script <file>", "what the built-in model `scripted` does")
    .option("--harness-file <file>", "add a harness described by a YAML file", collectOption)
    .option("--no-install", "refuse harnesses whose programs are not installed, and fetch nothing")
    .option("--json", "print the outcome as JSON; progress stays on standard error")
    .addHelpText(
      "after",
      "\nExamples:\n  npx ale run exams/demonstration.yaml\n  npx ale run --agent oracle --task 'legal/*' --repeats 2\n  npx ale run --resume",
    )
    .action((exam: string | undefined, options: RunOptions) => run(context, exam, options));
}

async function run(context: CliContext, exam: string | undefined, options: RunOptions): Promise<void> {
  const { byName: harnesses, store } = await createHarnesses(context, options.harnessFile);
  const { record, packages, provider, room, programs } =
    options.resume === undefined
      ? await newRun(context, exam, options, { store, harnesses })
      : await resumedRun(context, exam, options, store);
  await using _programs = programs;
  await using _room = room;
  const { file } = record.plan;
  const bench = await createBench(context, {
    provider,
    run: basename(record.dir),
    identityFile: options.identity,
  });
  using display = createProgressDisplay(context, file.budget.cost_usd);
  const summary = await conductExam({
    run: record,
    tasks: packages,
    bench,
    harnesses,
    lines: room.lines,
    capacity: examCapacity(file.concurrency),
    rerun: parseStatuses(options.rerun ?? []),
    stop: context.interrupted,
    atOnce: context.atOnce,
    onProgress: display.show,
  });
  display[Symbol.dispose]();
  await reportRun(context, record, summary, options.json === true);
}

async function newRun(
  context: CliContext,
  exam: string | undefined,
  options: RunOptions,
  { store, harnesses }: Pick<StartRunOptions, "store" | "harnesses">,
): Promise<PlannedRun> {
  if (options.rerun !== undefined)
    throw new AleError({
      code: "usage",
      message: "--rerun goes with --resume",
      remedy: "add --resume, or --resume <run>",
    });
  const base: ExamFile | undefined = exam === undefined ? undefined : await readExamFile(exam, context);
  const file = examFromFlags(options, base, await findDefaultTasks(context.cwd));
  const roots = file.tasks.roots.map((root) => resolve(context.cwd, root));
  const resolved: ExamFile = { ...file, tasks: { ...file.tasks, roots } };
  const { packages } = await readTasks(context, roots);
  const started = await startRun(context, {
    file: resolved,
    packages,
    runsDir: options.runsDir,
    identityFile: options.identity,
    store,
    harnesses,
    install: options.install,
    models: options.models,
    script: options.script,
  });
  return { ...started, packages };
}

async function resumedRun(
  context: CliContext,
  exam: string | undefined,
  options: RunOptions,
  store: HarnessStore,
): Promise<PlannedRun> {
  refuseChanges(exam, options);
  const name = options.resume === true ? undefined : options.resume;
  const includeFinished = options.rerun !== undefined;
  const dir = await findUnfinishedRun(name, options.runsDir, context.cwd, includeFinished);
  const record = await openRun(dir, { clock: context.clock, secrets: Object.values(context.secrets) });
  refuseSitting(record);
  const { problems } = await readIndex(record.dir);
  printFindings(problems, context.err, context.cwd);
  const { contestants, file } = record.plan;
  const { packages } = await readTasks(context, file.tasks.roots);
  if (options.install) await installHarnesses(context, store, contestants);
  await using opening = new AsyncDisposableStack();
  const programs = opening.use(await store.hold(contestants.map(({ harness }) => harness)));
  await prepareFolders(context);
  const provider = chooseProvider(context, file.provider);
  const { models, script } = options;
  const room = await openModelRoom(context, { contestants, models, script });
  opening.move();
  return { record, packages, provider, room, programs };
}

/** Nobody is asked to do their work again. */
function refuseSitting({ dir, plan }: StartedRun["record"]): void {
  if (!isSitting(plan)) return;
  throw new AleError({
    code: "sitting-not-resumed",
    message: `${basename(dir)} is the sitting of ${plan.contestants.map(({ name }) => name).join(", ")}, which cannot be resumed`,
    remedy: `start a new one: npx ale sit ${plan.trials[0]?.instance ?? "<instance>"}`,
    fields: { run: dir },
  });
}

/** A run is resumed as it was planned: what would change the plan is refused, not passed over. */
function refuseChanges(exam: string | undefined, options: RunOptions): void {
  const { resume: _, rerun: _rerun, runsDir: _runsDir, identity: _identity, json: _json, ...more } = options;
  const { models: _models, script: _script, harnessFile: _file, install: _install, ...flags } = more;
  const [flag] = Object.keys(flags);
  if (exam === undefined && flag === undefined) return;
  const what = exam ?? `--${flag?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new AleError({
    code: "usage",
    message: `${what} cannot change a run that is resumed`,
    remedy: "leave it out, or start a new run without --resume",
  });
}

function parseStatuses(names: readonly string[]): readonly TrialStatus[] {
  return names.map((name) => {
    const status = trialStatuses.find((candidate) => candidate === name);
    if (status !== undefined) return status;
    throw new AleError({
      code: "usage",
      message: `--rerun takes a status, not ${JSON.stringify(name)}`,
      remedy: `one of: ${trialStatuses.join(", ")}`,
    });
  });
}
