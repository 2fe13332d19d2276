import type { ExamPlan } from "../../contract/exam-plan.ts";
import type { Finding } from "../../contract/finding.ts";
import { findingOf } from "../../contract/finding-of.ts";
import type { Harness } from "../../harness/harness.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import { nearest } from "../../yaml/nearest.ts";
import { agentMachine } from "../bench/agent-machine.ts";
import { hasPart } from "../bench/has-part.ts";
import { openTask } from "../bench/open-task.ts";
import type { TaskBench } from "../bench/task-bench.ts";
import type { ExamCapacity } from "./conduct-options.ts";
import { lookUpPrograms } from "./look-up-programs.ts";
import { windowsFindings } from "./windows-findings.ts";

export interface PreflightOptions {
  readonly plan: ExamPlan;
  /** Packages of the plan's instances; others are left out of account. */
  readonly tasks: readonly TaskPackage[];
  readonly bench: TaskBench;
  readonly harnesses: ReadonlyMap<string, Harness>;
  readonly capacity: ExamCapacity;
}

/** Everything that stands in an exam's way, and what was found on the way to knowing it: goes into the lock. */
export interface Preflight {
  readonly findings: readonly Finding[];
  readonly programs: Readonly<Record<string, string>>;
  readonly harnesses: Readonly<Record<string, string>>;
}

/** Looks at host, graders, machines and contestants before the first trial: all findings at once, with remedies. */
export async function preflightExam(options: PreflightOptions): Promise<Preflight> {
  const { plan, bench } = options;
  const wanted = new Set(plan.trials.map((trial) => trial.instance));
  const tasks = options.tasks.filter((task) => task.instances.some(({ id }) => wanted.has(id)));
  const findings: Finding[] = [];
  for (const task of tasks) {
    findings.push(...taskFindings(task, options));
    const locked = await keyFindings(task, bench);
    findings.push(...locked, ...(locked.length > 0 ? [] : await machineFindings(task, options)));
  }
  // After what the tasks ask for: a daemon that is missing is nothing to who asks for what it never gives.
  findings.push(...(await bench.provider.preflight()), ...windowsFindings(plan, tasks, options.harnesses));

  const harnesses: Record<string, string> = {};
  for (const contestant of plan.contestants) {
    const harness = options.harnesses.get(contestant.harness);
    if (harness === undefined) {
      findings.push(unknownHarness(contestant.harness, options.harnesses));
      continue;
    }
    const found = await harness.preflight(contestant);
    findings.push(...found);
    if (found.some((finding) => finding.severity === "error")) continue;
    harnesses[harness.name] ??= await harness.version();
  }
  const told = distinct(findings);
  // A machine that cannot be made would only fail again here.
  if (told.some((finding) => finding.severity === "error"))
    return { findings: told, programs: {}, harnesses };
  const looked = await lookUpPrograms(bench, tasks);
  return { findings: [...told, ...looked.findings], programs: looked.programs, harnesses };
}

/** Opens what is sealed, and closes it again: a key of another pool would only be found out by every trial. */
async function keyFindings(task: TaskPackage, bench: TaskBench): Promise<readonly Finding[]> {
  if (!task.sealed || bench.unseal === undefined) return [];
  try {
    await using _open = await openTask(bench, task);
    return [];
  } catch (error) {
    return [{ ...findingOf(error), path: task.dir }];
  }
}

function taskFindings(task: TaskPackage, options: PreflightOptions): readonly Finding[] {
  const { bench, capacity } = options;
  const { id, sandbox, grader } = task.manifest;
  const findings: Finding[] = [];
  const [instance] = task.instances;
  if (instance !== undefined && !hasPart(task, "grade", instance)) {
    findings.push({
      severity: "error",
      code: "task-without-grader",
      message: `${id} has no grader`,
      remedy: "Add `grade` to its definition.",
      path: task.dir,
    });
  }
  if (task.sealed && bench.unseal === undefined) {
    findings.push({
      severity: "error",
      code: "sealed-without-key",
      message: `${id} is sealed, and there is no key`,
      remedy: "Give the key of its pool, or leave the task out with `tasks.exclude`.",
      path: task.dir,
    });
  }
  const memory = Math.max(sandbox.memory_mb, grader.memory_mb);
  if (capacity.memory_mb !== undefined && memory > capacity.memory_mb) {
    findings.push({
      severity: "error",
      code: "memory-above-capacity",
      message: `${id} needs ${memory} MiB of memory, and the exam may use ${capacity.memory_mb} MiB`,
      remedy: "Raise `concurrency.memory_mb`, or run it on a larger machine.",
      path: task.dir,
    });
  }
  if (capacity.cpus !== undefined && sandbox.cpus > capacity.cpus) {
    findings.push({
      severity: "warning",
      code: "cpus-above-capacity",
      message: `${id} asks for ${sandbox.cpus} processors, and the exam may use ${capacity.cpus}: it runs alone and slower`,
      path: task.dir,
    });
  }
  return findings;
}

/** What the provider says of the machine the task asks for. */
async function machineFindings(task: TaskPackage, { bench }: PreflightOptions): Promise<readonly Finding[]> {
  const [instance] = task.instances;
  if (instance === undefined) return [];
  const labels = { run: bench.run, trial: "preflight", attempt: 1, role: "agent" } as const;
  return bench.provider.preflight(await agentMachine({ bench, task, instance, labels, mounts: [], env: {} }));
}

/** Each finding once: many tasks ask for the same machine, and what stops one may be a warning to all. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  const each = [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
  const stops = new Set(each.filter(({ severity }) => severity === "error").map(mended));
  return each.filter((finding) => finding.severity !== "warning" || !stops.has(mended(finding)));
}

/** What is the same for findings that one remedy ends; unlike all others where there is none. */
function mended(finding: Finding): unknown {
  return finding.remedy === undefined ? finding : JSON.stringify([finding.code, finding.remedy]);
}

function unknownHarness(name: string, known: ReadonlyMap<string, Harness>): Finding {
  const meant = nearest(name, [...known.keys()]);
  return {
    severity: "error",
    code: "unknown-harness",
    message: `there is no harness called ${name}`,
    remedy: `${meant === undefined ? "" : `Did you mean ${meant}? `}Take one of: ${[...known.keys()].sort().join(", ")}.`,
  };
}
