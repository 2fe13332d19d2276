import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSystemClock } from "../src/cli/system-clock.ts";
import { stageInstance } from "../src/exam/bench/stage-instance.ts";
import { createTaskBench } from "../src/exam/bench/task-bench.ts";
import type { ResultRow } from "../src/record/result-row.ts";
import { createLocalProvider } from "../src/sandbox/local/local-provider.ts";
import { findTasks } from "../src/task/find-tasks.ts";
import { nativeFormat } from "../src/task/native/native-format.ts";
import type { Bench } from "./main.ts";

const root = join(import.meta.dirname, "..");
const tasks = join(root, "test", "tasks");
const inFlight = 4;

interface Measured {
  /** Milliseconds of each trial. */
  readonly trials: readonly number[];
  readonly wallMs: number;
}

/**
 * `nop` on a trivial instance (200 trials, or as many as the first option says) beside a floor that does the same
 * overlay, bubblewrap and three executions by hand, the grader's among them; four in flight in both. Also the memory
 * of the exam's own process for each further trial in flight. Needs root.
 */
export const bench: Bench = async ([count = "200"]) => {
  const trials = Number(count);
  const work = await mkdtemp(join(tmpdir(), "ale-bench-trial-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(work, { recursive: true, force: true }));
  const staged = await stage(work);
  const floor = await runFloor(work, staged, trials);
  const { measured: ours } = await runExam(work, trials, inFlight);
  const few = await runExam(work, 16, 2);
  const many = await runExam(work, 64, 16);
  const perTrial = (many.peakMb - few.peakMb) / 14;
  return [
    `nop on a trivial instance, ${trials} trials, ${inFlight} in flight`,
    show("floor by hand", floor),
    show("ale run", ours),
    `ratio of medians ${(median(ours.trials) / median(floor.trials)).toFixed(2)}, of whole runs ${(ours.wallMs / floor.wallMs).toFixed(2)} (ale's includes its own start)`,
    `peak memory of the exam's process: ${few.peakMb.toFixed(0)} MB with 2 in flight, ${many.peakMb.toFixed(0)} MB with 16: ${perTrial.toFixed(2)} MB for each further one`,
  ];
};

async function stage(work: string): Promise<{ readonly dir: string; readonly taskDir: string }> {
  const clock = createSystemClock();
  const { packages } = await findTasks([tasks], [nativeFormat]);
  const [task] = packages;
  const instance = task?.instances.find(({ variant }) => variant === "small");
  if (task === undefined || instance === undefined) throw new RangeError(`no trivial instance in ${tasks}`);
  let serial = 0;
  const provider = createLocalProvider({
    stateDir: join(work, "floor-state"),
    clock,
    ids: () => `bench${serial++}`,
    ownerPid: process.pid,
  });
  const taskBench = createTaskBench({
    provider,
    clock,
    runtime: { packageRoot: root, nodeModules: join(root, "node_modules"), nodeBinary: process.execPath },
    cacheDir: join(work, "floor-cache"),
    tempDir: work,
    run: "bench",
  });
  const { input, reference } = await stageInstance(taskBench, task, instance);
  const dir = join(work, "staged");
  await cp(input, join(dir, "input"), { recursive: true });
  await cp(reference, join(dir, "reference"), { recursive: true });
  return { dir, taskDir: task.dir };
}

async function runFloor(
  work: string,
  staged: { readonly dir: string; readonly taskDir: string },
  count: number,
): Promise<Measured> {
  const times: number[] = [];
  const script = join(import.meta.dirname, "trial-floor.sh");
  const grader = ["--instance=computing_math/sum_column@small", "--seed=1", '--params={"rows":10}'];
  let next = 0;
  const started = performance.now();
  const worker = async (): Promise<void> => {
    while (next < count) {
      const place = join(work, `floor-${next++}`);
      const began = performance.now();
      const argv = [script, place, process.execPath, root, staged.taskDir, staged.dir, ...grader];
      await run("unshare", ["--mount", "--propagation", "private", ...argv], {});
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return { trials: times, wallMs: performance.now() - started };
}

async function runExam(
  work: string,
  count: number,
  concurrency: number,
): Promise<{ readonly measured: Measured; readonly peakMb: number }> {
  const runs = await mkdtemp(join(work, "runs-"));
  const exam = [
    "run",
    "--agent",
    "nop",
    "--task",
    "computing_math/sum_column@small",
    "--repeats",
    String(count),
  ];
  const where = ["--tasks-root", tasks, "--runs-dir", runs, "--concurrency", String(concurrency), "--json"];
  const environment = { ALE_STATE_DIR: join(work, "state"), ALE_CACHE_DIR: join(work, "cache") };
  const began = performance.now();
  const { stdout, peakMb } = await run(
    process.execPath,
    [join(root, "src/cli/main.ts"), ...exam, ...where],
    environment,
  );
  const wallMs = performance.now() - began;
  const { dir } = JSON.parse(stdout) as { readonly dir: string };
  const rows = await run(
    process.execPath,
    [join(root, "src/cli/main.ts"), "results", "ls", dir, "--json"],
    environment,
  );
  const trials = (JSON.parse(rows.stdout) as readonly ResultRow[]).map((row) => row.wallMs);
  return { measured: { trials, wallMs }, peakMb };
}

async function run(
  command: string,
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly stdout: string; readonly peakMb: number }> {
  const child = spawn(command, argv, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  let peakMb = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", async (text: string) => {
    stderr += text;
    // The high-water mark, read with every line of progress: it only grows.
    peakMb = Math.max(peakMb, await peakOf(child.pid));
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (status !== 0) throw new RangeError(`${command} ended with ${status}: ${stderr.slice(-2000)}`);
  return { stdout, peakMb };
}

async function peakOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function show(name: string, { trials, wallMs }: Measured): string {
  const sorted = trials.toSorted((a, b) => a - b);
  const figures = [sorted[0], median(trials), sorted.at(-1)].map((value) => (value ?? 0).toFixed(0));
  return `${name.padEnd(14)} trial min ${figures[0]} ms, median ${figures[1]} ms, max ${figures[2]} ms; whole run ${(wallMs / 1000).toFixed(1)} s`;
}
