import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { AleError } from "../../contract/ale-error.ts";
import type { Finding } from "../../contract/finding.ts";
import { findingOf } from "../../contract/finding-of.ts";
import { createRandom } from "../../contract/random.ts";
import { createTaskWorkbench } from "../../exam/bench/create-task-workbench.ts";
import { openTask } from "../../exam/bench/open-task.ts";
import type { TaskBench } from "../../exam/bench/task-bench.ts";
import { checkInstance, type CheckOptions as InstanceCheckOptions } from "../../task/qc/check-instance.ts";
import { findingsToTell } from "../../task/qc/findings-to-tell.ts";
import { formatReport } from "../../task/qc/format-report.ts";
import type { InstanceReport } from "../../task/qc/instance-report.ts";
import { writeReceipt } from "../../task/qc/receipt.ts";
import type { TaskInstance, TaskPackage } from "../../task/task-package.ts";
import type { CliContext } from "../cli-context.ts";
import { createBench } from "../create-bench.ts";
import { chooseProvider } from "../create-providers.ts";
import { printFindings } from "../output/print-findings.ts";
import { printJson } from "../output/print-json.ts";
import { prepareFolders } from "../prepare-folders.ts";
import { chooseInstances, readTasks } from "../read-tasks.ts";
import { collectOption } from "./collect-option.ts";
import { wholeNumberFrom } from "./whole-number.ts";

interface CheckOptions {
  readonly all?: boolean;
  readonly tasksRoot?: readonly string[];
  readonly provider: string;
  readonly identity?: string;
  readonly seed: number;
  readonly mutations?: number;
  readonly json?: boolean;
}

/** `ale tasks check` */
export function tasksCheckCommand(context: CliContext): Command {
  return new Command("check")
    .description(
      "Quality control: untouched 0, oracle 1, probes in range, grader and generator deterministic, mutations caught, attacks harmless. Leaves a receipt.",
    )
    .argument("[pattern...]", "globs over domain/name@variant")
    .option("--all", "every instance")
    .option("--tasks-root <dir>", "look for packages here; may be given several times", collectOption)
    .option("--provider <name>", "where sandboxes are made", "auto")
    .option("--identity <file>", "age identity that opens sealed packages")
    .option("--seed <n>", "seed of the mutations", wholeNumberFrom(0), 1)
    .option("--mutations <n>", "most mutations per instance", wholeNumberFrom(0))
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale tasks check legal/contract_portfolio_audit")
    .action((patterns: readonly string[], options: CheckOptions) => check(context, patterns, options));
}

async function check(context: CliContext, patterns: readonly string[], options: CheckOptions): Promise<void> {
  if (patterns.length === 0 && options.all !== true) {
    throw new AleError({
      code: "usage",
      message: "no task is named",
      remedy: "name tasks by id or glob, or add --all",
    });
  }
  const found = await readTasks(context, options.tasksRoot);
  const include = options.all === true ? ["**"] : patterns;
  const chosen = chooseInstances(found, { include, exclude: [] });
  await prepareFolders(context);
  const provider = chooseProvider(context, options.provider);
  const bench = await createBench(context, { provider, run: "check", identityFile: options.identity });
  const work = await mkdtemp(join(tmpdir(), "ale-check-"));
  const reports = new Map<TaskPackage, InstanceReport[]>();
  const toTell = new Map(chosen.map(({ task }) => [task, findingsToTell(task)]));
  const sink = options.json === true ? context.err : context.out;
  try {
    for (const { task, instance } of chosen) {
      context.interrupted.throwIfAborted();
      const report = await checkOne(bench, task, instance, {
        clock: context.clock,
        random: createRandom(options.seed),
        work: await mkdtemp(join(work, "instance-")),
        ...(options.mutations === undefined ? {} : { mutations: options.mutations }),
      });
      reports.set(task, [...(reports.get(task) ?? []), report]);
      sink.write(formatReport(report));
      const findings = toTell.get(task)?.(report) ?? report.findings;
      printFindings(findings.filter(isWorthSaying), sink, context.cwd);
    }
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 5 });
  }
  const instances = [...reports.values()].flat();
  const ok = instances.every((report) => report.ok) && found.malformed.length === 0;
  if (!ok) context.setExitStatus(1);
  if (options.json === true) {
    const malformed = found.malformed.map(({ dir, findings }) => ({ dir, findings }));
    printJson({ ok, instances, malformed }, context.out);
  }
  // Last: where the packages cannot be written to, what was found has been told.
  for (const [task, own] of reports) await writeReceipt(task, own, { clock: context.clock });
}

/** A sealed package is checked opened; its content hash, and so its receipt, is the same. */
async function checkOne(
  bench: TaskBench,
  task: TaskPackage,
  instance: TaskInstance,
  options: InstanceCheckOptions,
): Promise<InstanceReport> {
  try {
    await using open = await openTask(bench, task);
    return await checkInstance(open.task, instance, createTaskWorkbench(bench), options);
  } catch (error) {
    // One that cannot be checked, as for want of its key, never stops the others.
    return uncheckedReport(instance.id, findingOf(error));
  }
}

function uncheckedReport(instance: string, finding: Finding): InstanceReport {
  const { message } = finding;
  return {
    instance,
    ok: false,
    untouched: null,
    untouchedReason: message,
    oracle: null,
    oracleReason: message,
    probes: [],
    killRate: null,
    killRateReason: message,
    mutations: { tried: 0, killed: 0, survivors: [] },
    attacks: [],
    deterministic: false,
    findings: [finding],
    wallMs: 0,
  };
}

function isWorthSaying(finding: Finding): boolean {
  return finding.severity !== "note";
}
