import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examFileSchema } from "../../src/contract/exam-file.ts";
import type { ExamPlan } from "../../src/contract/exam-plan.ts";
import type { Verdict } from "../../src/contract/verdict.ts";
import { createTaskBench, type TaskBench } from "../../src/exam/bench/task-bench.ts";
import { conductExam } from "../../src/exam/conduct/conduct-exam.ts";
import type { ConductOptions } from "../../src/exam/conduct/conduct-options.ts";
import type { ExamProgress, ExamSummary } from "../../src/exam/conduct/exam-progress.ts";
import { buildLock } from "../../src/exam/plan/build-lock.ts";
import { planExam } from "../../src/exam/plan/plan-exam.ts";
import { baselineHarnesses } from "../../src/harness/baselines/baseline-harnesses.ts";
import type { Harness } from "../../src/harness/harness.ts";
import { createRun } from "../../src/record/create-run.ts";
import type { RunRecord } from "../../src/record/run-record.ts";
import type { Screen } from "../../src/sandbox/screen.ts";
import type { TaskPackage } from "../../src/task/task-package.ts";
import { createFixedClock, type FixedClock } from "../../src/testing/fixed-clock.ts";
import type { MemoryFault } from "../../src/testing/memory-sandbox/memory-faults.ts";
import type { MemoryProgram } from "../../src/testing/memory-sandbox/memory-program.ts";
import { MemorySandboxProvider } from "../../src/testing/memory-sandbox/memory-sandbox-provider.ts";
import { createMemoryTask, type MemoryTaskOptions } from "../../src/testing/memory-task.ts";

export interface ExamRigOptions {
  readonly exam?: Readonly<Record<string, unknown>>;
  readonly task?: Partial<MemoryTaskOptions>;
  readonly tasks?: (dir: string) => readonly TaskPackage[];
  readonly programs?: Readonly<Record<string, MemoryProgram>>;
  readonly faults?: readonly MemoryFault[];
  readonly harnesses?: readonly Harness[];
  /** Of every machine. */
  readonly screen?: Screen;
  /** Values that must never reach the record. */
  readonly secrets?: readonly string[];
}

/** An exam in memory, its record on disk in a folder of its own. */
export interface ExamRig extends AsyncDisposable {
  readonly dir: string;
  readonly clock: FixedClock;
  readonly provider: MemorySandboxProvider;
  readonly bench: TaskBench;
  readonly tasks: readonly TaskPackage[];
  readonly plan: ExamPlan;
  readonly run: RunRecord;
  readonly events: ExamProgress[];
  conduct(more?: Partial<ConductOptions>): Promise<ExamSummary>;
}

export function verdictOf(score: number): Verdict {
  return {
    schema: "ale/verdict@1",
    score,
    fullPass: score === 1,
    method: "checklist",
    checks: [{ id: "total", stage: "sum", weight: 1, gate: false, score, message: "the total" }],
    stages: [{ name: "sum", weight: 1, score }],
    gates: [],
  };
}

/** The oracle adds the numbers of its input up; the grader compares with the reference. */
export const sumPrograms: Readonly<Record<string, MemoryProgram>> = {
  "task-solve": ({ files }) => {
    const numbers = (files.text("/home/agent/input/numbers.txt") ?? "").trim().split("\n").map(Number);
    files.write("/home/agent/output/total.txt", String(numbers.reduce((sum, next) => sum + next, 0)));
    return { stdout: "summed\n" };
  },
  "task-grade": async ({ hostPath, files }) => {
    const { readFile } = await import("node:fs/promises");
    const read = (path: string): Promise<string | undefined> =>
      readFile(hostPath(path) ?? "", "utf8").catch(() => undefined);
    const right = (await read("/ale/artifacts/total.txt")) === (await read("/ale/reference/total.txt"));
    files.write("/ale/result/verdict.json", JSON.stringify(verdictOf(right ? 1 : 0)));
    return { stderr: "graded\n" };
  },
};

export async function createExamRig(options: ExamRigOptions = {}): Promise<ExamRig> {
  const dir = await mkdtemp(join(tmpdir(), "ale-rig-"));
  const taskDir = join(dir, "task");
  await mkdir(join(taskDir, "input"), { recursive: true });
  await mkdir(join(taskDir, "reference"));
  await writeFile(join(taskDir, "input", "numbers.txt"), "1\n2\n39\n");
  await writeFile(join(taskDir, "reference", "total.txt"), "42");
  const clock = createFixedClock();
  const programs = { ...sumPrograms, ...options.programs };
  const { screen, faults = [] } = options;
  const provider = new MemorySandboxProvider({
    clock,
    programs,
    faults,
    ...(screen === undefined ? {} : { screen }),
  });
  const tasks = options.tasks?.(taskDir) ?? [createMemoryTask({ dir: taskDir, ...options.task })];
  const bench = createTaskBench({
    provider,
    clock,
    runtime: { packageRoot: dir, nodeModules: dir, nodeBinary: process.execPath },
    cacheDir: join(dir, "cache"),
    tempDir: join(dir, "temp"),
    run: "rig",
  });
  const file = examFileSchema.parse({
    schema: "ale/exam@1",
    name: "rig",
    contestants: [{ harness: "oracle" }],
    retry: { attempts: 1 },
    ...options.exam,
  });
  const plan = planExam({ file, packages: tasks, clock });
  const lock = buildLock({
    plan,
    packages: tasks,
    provider: { name: provider.name, details: {} },
    programs: {},
    harnesses: {},
    ale: { version: "0.0.0" },
    invocation: ["ale", "run"],
  });
  const { secrets = [] } = options;
  const run = await createRun({ root: join(dir, "runs"), plan, lock, clock, secrets });
  const harnesses = new Map(baselineHarnesses("0.0.0"));
  for (const harness of options.harnesses ?? []) harnesses.set(harness.name, harness);
  const events: ExamProgress[] = [];
  return {
    dir,
    clock,
    provider,
    bench,
    tasks,
    plan,
    run,
    events,
    conduct: (more) =>
      conductExam({
        run,
        tasks,
        bench,
        harnesses,
        capacity: { trials: 4 },
        onProgress: (event) => events.push(event),
        ...more,
      }),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}
