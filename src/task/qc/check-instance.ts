import type { Clock } from "../../contract/clock.ts";
import type { Finding } from "../../contract/finding.ts";
import { findingOf } from "../../contract/finding-of.ts";
import type { Random } from "../../contract/random.ts";
import { lintStatedNames } from "../lint/lint-stated-names.ts";
import { markFindings } from "../lint/mark-findings.ts";
import type { TaskInstance, TaskPackage } from "../task-package.ts";
import { type Attack, attacks } from "./attack/attacks.ts";
import { checkAttacks } from "./check-attacks.ts";
import { type CheckContext, crashed, folderMaker, judge } from "./check-context.ts";
import { checkMutations } from "./check-mutations.ts";
import { checkProbes, lost, sameVerdict } from "./check-probes.ts";
import { checkNoLeak, checkStagedTwice } from "./check-staging.ts";
import type { InstanceReport } from "./instance-report.ts";
import type { TaskWorkbench } from "./workbench.ts";

export interface CheckOptions {
  readonly clock: Clock;
  /** Fixes the mutations. */
  readonly random: Random;
  /** An empty folder of the caller's on the host; what lies in it afterwards is the caller's to keep or remove. */
  readonly work: string;
  /** Most mutations tried, default 24. */
  readonly mutations?: number;
  /** Default all. */
  readonly attacks?: readonly Attack[];
  /** Gradings at once, default 2. */
  readonly concurrency?: number;
}

type Report = { -readonly [K in keyof InstanceReport]: InstanceReport[K] };

/**
 * Proves an instance, as DESIGN section 4 asks: lint; nothing handed in scores 0; the oracle scores 1; every probe
 * in its range; generated and graded twice to the same bytes; mutations of the oracle's outputs caught; attacks
 * given a clean verdict without points; nothing of the reference in the input. What is wrong with the task is
 * in the findings. Rejects for what is not the task's fault: a workbench that fails, a full disk.
 */
export async function checkInstance(
  task: TaskPackage,
  instance: TaskInstance,
  workbench: TaskWorkbench,
  options: CheckOptions,
): Promise<InstanceReport> {
  const started = options.clock.monotonic();
  const findings: Finding[] = [...task.findings, ...markFindings(task)];
  const context: CheckContext = {
    task,
    instance,
    workbench,
    random: options.random.fork(instance.id),
    concurrency: options.concurrency ?? 2,
    folder: folderMaker(options.work),
    report: (finding) => findings.push(finding),
  };
  const report: Report = {
    instance: instance.id,
    ok: false,
    untouched: null,
    oracle: null,
    probes: [],
    killRate: null,
    mutations: { tried: 0, killed: 0, survivors: [] },
    attacks: [],
    deterministic: false,
    findings,
    wallMs: 0,
  };

  const staged = await orFinding(context, () => workbench.stage(task, instance));
  if (staged === undefined) {
    report.untouchedReason = report.oracleReason = report.killRateReason = "the instance cannot be staged";
  } else {
    const generatedAlike = await orFinding(context, () => checkStagedTwice(context, staged));
    await checkNoLeak(context, staged);
    await checkUntouched(context, report);
    const oracle = await checkOracle(context, report);
    report.deterministic = generatedAlike === true && oracle?.gradedAlike === true;
    if (oracle === undefined) report.killRateReason = "the oracle made no full pass to start from";
    else {
      findings.push(...(await lintStatedNames(task, instance, staged.input, oracle.dir)));
      report.probes = await checkProbes(context, oracle.dir);
      report.mutations = await checkMutations(context, oracle.dir, options.mutations ?? 24);
      rateMutations(context, report);
    }
    report.attacks = await checkAttacks(context, options.attacks ?? attacks);
  }
  report.ok = !findings.some((finding) => finding.severity === "error");
  report.wallMs = options.clock.monotonic() - started;
  return report;
}

/** What a workbench says against the task, such as a generator that fails, is a finding; anything else is thrown. */
async function orFinding<T>(context: CheckContext, step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    context.report(findingOf(error));
    return undefined;
  }
}

async function checkUntouched(context: CheckContext, report: Report): Promise<void> {
  const { outcome } = await judge(context, "untouched", await context.folder("untouched"));
  if (outcome.kind === "verifier-error") {
    report.untouchedReason = outcome.message;
    context.report(crashed("an empty output folder", outcome.message));
    return;
  }
  report.untouched = outcome.verdict.score;
  if (outcome.verdict.score === 0) return;
  context.report({
    severity: "error",
    code: "untouched-scores",
    message: `handing in nothing scores ${outcome.verdict.score} instead of 0`,
    remedy: "make the presence of the outputs a gate",
  });
}

/** The oracle's artifacts when they are a full pass; graded twice. */
async function checkOracle(
  context: CheckContext,
  report: Report,
): Promise<{ readonly dir: string; readonly gradedAlike: boolean } | undefined> {
  const { task, instance, workbench } = context;
  const fail = (code: string, message: string, remedy: string): undefined => {
    report.oracleReason ??= message;
    context.report({ severity: "error", code, message, remedy });
  };
  const output = await context.folder("oracle");
  const solved = await workbench.solve(task, instance, output);
  if (solved.kind === "failed") {
    return fail("oracle-failed", `the oracle failed: ${solved.message}`, "correct solve in main.ts");
  }
  const { artifacts, dir, outcome } = await judge(context, "oracle", output);
  for (const artifact of artifacts) {
    const isLost = artifact.state === "refused" || (artifact.state === "missing" && artifact.required);
    if (!isLost) continue;
    const why = artifact.state === "refused" ? `was refused: ${artifact.message}` : "is missing";
    fail(
      "oracle-output",
      `the oracle's output ${artifact.path} ${why}`,
      "correct solve, or outputs in task.yaml",
    );
  }
  if (outcome.kind === "verifier-error") {
    report.oracleReason = outcome.message;
    context.report(crashed("the oracle's outputs", outcome.message));
    return undefined;
  }
  report.oracle = outcome.verdict.score;
  if (outcome.verdict.score !== 1) {
    const message = `the oracle scores ${outcome.verdict.score} instead of 1 ${lost(outcome.verdict.checks)}`;
    return fail("oracle-not-full", message.trim(), "correct solve or grade in main.ts");
  }
  const again = await workbench.grade(task, instance, dir);
  const gradedAlike = again.kind === "verdict" && sameVerdict(again.verdict, outcome.verdict);
  if (!gradedAlike) {
    fail(
      "grader-not-deterministic",
      "the grader gave the same outputs two different verdicts",
      "let grade use no clock, no unseeded random numbers, no order of files as the system lists them",
    );
  }
  return { dir, gradedAlike };
}

function rateMutations(context: CheckContext, report: Report): void {
  const { tried, killed, survivors } = report.mutations;
  if (tried === 0) {
    report.killRateReason = "the oracle's outputs hold nothing that can be mutated";
    return;
  }
  report.killRate = killed / tried;
  if (survivors.length === 0) return;
  const shown = survivors.slice(0, 5).map(({ path, what }) => `${path}: ${what}`);
  context.report({
    severity: report.killRate < 0.8 ? "warning" : "note",
    code: "mutations-survive",
    message: `${survivors.length} of ${tried} mutations of the oracle's outputs lose no points, such as ${shown.join("; ")}`,
    remedy: "grade these parts too, or leave them out of what is asked for",
  });
}
