import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { listedProbesSchema } from "../../task/qc/listed-probe.ts";
import type { TaskWorkbench } from "../../task/qc/workbench.ts";
import type { TaskInstance, TaskPackage } from "../../task/task-package.ts";
import { benchTeardown } from "./bench-teardown.ts";
import { makeReadable } from "./host-folders.ts";
import { openTrustedSandbox } from "./open-sandbox.ts";
import { openTask } from "./open-task.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { runProgram } from "./run-program.ts";
import type { TaskBench } from "./task-bench.ts";
import { trustedDownload } from "./trusted-download.ts";

const probeLimitMs = 30 * 60_000;
const maxListBytes = 4 * 1024 * 1024;

/** Runs the task's probes on a trusted machine; one folder per probe lands in `into`. */
export async function makeProbes(
  bench: TaskBench,
  task: TaskPackage,
  instance: TaskInstance,
  oracleOutput: string,
  into: string,
): ReturnType<TaskWorkbench["probes"]> {
  await using open = await openTask(bench, task);
  const program = open.task.program("probe", instance);
  if (program === undefined) return { kind: "made", probes: [] };
  const staged = await open.stage(instance);
  await using teardown = benchTeardown(bench);
  const { sandbox } = await openTrustedSandbox({
    bench,
    task: open.task,
    instance,
    labels: { run: bench.run, trial: `probes-${instance.variant}`, attempt: 1, role: "generator" },
    mounts: [
      { source: oracleOutput, target: sandboxLayout.artifacts },
      { source: staged.input, target: sandboxLayout.verifierInput },
      { source: staged.reference, target: sandboxLayout.reference },
    ],
    memoryMb: task.manifest.sandbox.memory_mb,
    teardown,
  });
  await using folder = await makePrivateFolder(bench.tempDir, "probes");
  await mkdir(join(folder.dir, "result"));
  await sandbox.upload(join(folder.dir, "result"), sandboxLayout.result);
  const end = await runProgram(sandbox, program, { timeoutMs: probeLimitMs });
  if (end.kind === "failed") return { kind: "failed", message: end.message };

  const listPath = `${sandboxLayout.result}/probes.json`;
  const text = Buffer.from(await sandbox.readFile(listPath, { maxBytes: maxListBytes })).toString("utf8");
  const listed = listedProbesSchema.safeParse(JSON.parse(text));
  if (!listed.success) return { kind: "failed", message: `probes.json: ${z.prettifyError(listed.error)}` };
  const made = join(folder.dir, "made");
  await sandbox.download(`${sandboxLayout.result}/probes`, made, trustedDownload);
  await makeFolder(into);
  await cp(made, into, { recursive: true, verbatimSymlinks: true });
  await makeReadable(into);
  return { kind: "made", probes: listed.data.map((probe) => ({ ...probe, dir: join(into, probe.name) })) };
}
