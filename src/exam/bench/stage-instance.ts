import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { isFolder } from "../../task/is-folder.ts";
import type { StagedInstance } from "../../task/qc/workbench.ts";
import type { TaskInstance, TaskPackage } from "../../task/task-package.ts";
import { benchTeardown } from "./bench-teardown.ts";
import { copyFolder, makeReadable } from "./host-folders.ts";
import { openTrustedSandbox } from "./open-sandbox.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { runProgram } from "./run-program.ts";
import type { TaskBench } from "./task-bench.ts";
import { trustedDownload } from "./trusted-download.ts";

/** Milliseconds a generator may take. */
const generateLimitMs = 30 * 60 * 1000;

/**
 * Input and reference of an instance on the host, from the cache when there. Only for packages that are
 * not sealed: nothing of a sealed one enters the cache. Rejects with an `AleError` coded
 * `task-generate` when the task's generator fails.
 */
export async function stageInstance(
  bench: TaskBench,
  task: TaskPackage,
  instance: TaskInstance,
): Promise<StagedInstance> {
  const place = join(bench.cacheDir, "instances", task.contentHash.replace(":", "-"), instance.variant);
  const running = bench.staging.get(place);
  if (running !== undefined) return running;
  const staging = stageInto(bench, task, instance, place).finally(() => bench.staging.delete(place));
  bench.staging.set(place, staging);
  return staging;
}

async function stageInto(
  bench: TaskBench,
  task: TaskPackage,
  instance: TaskInstance,
  place: string,
): Promise<StagedInstance> {
  const staged = stagedIn(place);
  if (await isFolder(place)) return staged;
  await using draft = await makePrivateFolder(join(bench.cacheDir, "drafts"), "instance");
  await makeInstance(bench, task, instance, draft.dir);
  await makeFolder(join(place, ".."), { mode: 0o700 });
  try {
    // A whole instance appears at once; a second process that was faster has made the same one.
    await rename(join(draft.dir, "instance"), place);
  } catch (error) {
    if (!(await isFolder(place))) throw error;
  }
  return staged;
}

/** Stages into a private folder of its own, past the cache. */
export async function stageInstanceAfresh(
  bench: TaskBench,
  task: TaskPackage,
  instance: TaskInstance,
): Promise<StagedInstance & AsyncDisposable> {
  const draft = await makePrivateFolder(bench.tempDir, "instance");
  try {
    await makeInstance(bench, task, instance, draft.dir);
  } catch (error) {
    await draft[Symbol.asyncDispose]();
    throw error;
  }
  return {
    ...stagedIn(join(draft.dir, "instance")),
    [Symbol.asyncDispose]: () => draft[Symbol.asyncDispose](),
  };
}

/** The parts of an instance made by {@link makeInstance}. */
export function stagedIn(dir: string): StagedInstance {
  return { input: join(dir, "input"), reference: join(dir, "reference") };
}

/** Fills `<dir>/instance` with `input` and `reference`: the package's own files, and what its generator adds. */
export async function makeInstance(
  bench: TaskBench,
  task: TaskPackage,
  instance: TaskInstance,
  dir: string,
): Promise<void> {
  const seedDir = join(dir, "seed");
  await copyFolder(join(task.dir, "input"), join(seedDir, "input"));
  await copyFolder(join(task.dir, "reference"), join(seedDir, "reference"));
  const made = join(dir, "instance");
  const program = task.program("generate", instance);
  if (program === undefined) {
    await rename(seedDir, made);
    return makeReadable(made);
  }
  await mkdir(made);
  await using teardown = benchTeardown(bench);
  const { sandbox } = await openTrustedSandbox({
    bench,
    task,
    instance,
    labels: { run: bench.run, trial: `stage-${instance.variant}`, attempt: 1, role: "generator" },
    mounts: [],
    memoryMb: task.manifest.sandbox.memory_mb,
    teardown,
  });
  await sandbox.upload(seedDir, sandboxLayout.result);
  const end = await runProgram(sandbox, program, { timeoutMs: generateLimitMs });
  if (end.kind === "failed") throw generateFailed(instance, end.message);
  for (const part of ["input", "reference"]) {
    const report = await sandbox.download(
      `${sandboxLayout.result}/${part}`,
      join(made, part),
      trustedDownload,
    );
    const refused = report.files.find((file) => file.state === "refused");
    if (refused !== undefined) throw generateFailed(instance, `${part}/${refused.path}: ${refused.message}`);
  }
  await makeReadable(made);
}

function generateFailed(instance: TaskInstance, why: string): AleError {
  return new AleError({
    code: "task-generate",
    message: `${instance.id} could not be generated: ${why}`,
    remedy: "Run `node main.ts check` in the task's folder.",
    fields: { instance: instance.id },
  });
}
