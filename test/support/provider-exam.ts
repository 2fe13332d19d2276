import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createSystemClock } from "../../src/cli/system-clock.ts";
import { examFileSchema } from "../../src/contract/exam-file.ts";
import type { TrialResult } from "../../src/contract/trial-result.ts";
import { conductExam } from "../../src/exam/conduct/conduct-exam.ts";
import type { LineOpener } from "../../src/exam/line/trial-line.ts";
import { buildLock } from "../../src/exam/plan/build-lock.ts";
import { planExam } from "../../src/exam/plan/plan-exam.ts";
import { baselineHarnesses } from "../../src/harness/baselines/baseline-harnesses.ts";
import type { Harness } from "../../src/harness/harness.ts";
import { createRun } from "../../src/record/create-run.ts";
import type { SandboxProvider } from "../../src/sandbox/provider.ts";
import { findTasks } from "../../src/task/find-tasks.ts";
import { nativeFormat } from "../../src/task/native/native-format.ts";
import { repositoryRoot } from "../source-imports.ts";
import { createCheckoutBench } from "./checkout-bench.ts";
import { laySumAtScreen, laySumInWindows } from "./sum-tasks.ts";

/** Sums the fixture task's column with what every Debian system has. */
export const sumScript: string =
  'awk -F, \'NR > 1 { s += $1 } END { printf "{\\"total\\": %.2f}\\n", s }\' ~/input/amounts.csv > ~/output/total.json';

export interface ProviderExamOptions {
  /** An empty folder, the exam's to fill. */
  readonly dir: string;
  readonly provider: SandboxProvider;
  /** As in an exam file, below `schema`, `name` and `contestants`. */
  readonly exam?: Readonly<Record<string, unknown>>;
  readonly contestant: Readonly<Record<string, unknown>>;
  readonly harnesses?: readonly Harness[];
  /** Has the task done at a screen. Default false. */
  readonly atScreen?: boolean;
  /** Has it done in Windows. Default false. */
  readonly inWindows?: boolean;
  /** To models; default none. */
  readonly lines?: LineOpener;
  /** Of the task at a screen; default 10, the fixture's. */
  readonly wallMinutes?: number;
}

/** What came of an attempt, and where its record is. */
export interface SatAttempt {
  readonly dir: string;
  readonly result: TrialResult;
}

/** Sits the fixture task on a provider's machines; every attempt's result, in order. */
export async function sitFixture(options: ProviderExamOptions): Promise<readonly TrialResult[]> {
  return (await sitFixtureOnRecord(options)).map(({ result }) => result);
}

/** The same, with the record of each attempt. */
export async function sitFixtureOnRecord(options: ProviderExamOptions): Promise<readonly SatAttempt[]> {
  const { dir, provider } = options;
  await mkdir(dir, { recursive: true });
  const clock = createSystemClock();
  const root = await rootFor(options);
  const { packages, malformed } = await findTasks([root], [nativeFormat]);
  if (malformed.length > 0) throw new RangeError(JSON.stringify(malformed));
  const tasks = packages.filter((task) => task.manifest.id === "computing_math/sum_column");
  const bench = createCheckoutBench({ provider, clock, dir, run: "provider-exam" });
  const file = examFileSchema.parse({
    schema: "ale/exam@1",
    name: "provider",
    contestants: [options.contestant],
    tasks: { include: ["computing_math/sum_column@small"] },
    retry: { attempts: 1 },
    ...options.exam,
  });
  const plan = planExam({ file, packages: tasks, clock });
  const harnesses = new Map(baselineHarnesses("0.0.0"));
  for (const harness of options.harnesses ?? []) harnesses.set(harness.name, harness);
  const lock = buildLock({
    plan,
    packages: tasks,
    provider: { name: provider.name, details: null },
    programs: {},
    harnesses: {},
    ale: { version: "0.0.0" },
    invocation: [],
  });
  const run = await createRun({ root: join(dir, "runs"), plan, lock, clock });
  const lines = options.lines === undefined ? {} : { lines: options.lines };
  await conductExam({ run, tasks, bench, harnesses, capacity: { trials: 1 }, ...lines });
  return (await run.attempts()).flatMap((attempt) =>
    attempt.result === undefined ? [] : [{ dir: attempt.dir, result: attempt.result }],
  );
}

/** A root with the fixture task, as it is to be done. */
async function rootFor(options: ProviderExamOptions): Promise<string> {
  const { dir, atScreen = false, inWindows = false, wallMinutes = 10 } = options;
  const root = join(dir, "tasks");
  if (inWindows) await laySumInWindows(root, atScreen);
  else if (atScreen) await laySumAtScreen(root, [["wall_minutes: 10", `wall_minutes: ${wallMinutes}`]]);
  else return join(repositoryRoot, "test", "tasks");
  return root;
}
