import { cp } from "node:fs/promises";
import { join } from "node:path";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { Mount } from "../../sandbox/provider.ts";
import type { StepOutcome } from "../../task/qc/workbench.ts";
import type { TaskInstance, TaskPackage } from "../../task/task-package.ts";
import { minutesToMs } from "../minutes-to-ms.ts";
import { agentMachine } from "./agent-machine.ts";
import { agentRuntime } from "./agent-runtime.ts";
import { benchTeardown } from "./bench-teardown.ts";
import { makeReadable } from "./host-folders.ts";
import { type OpenTask, openTask } from "./open-task.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { requireProgram, runProgram } from "./run-program.ts";
import { placeInput, runTrustedPart } from "./set-up-machine.ts";
import { startServices } from "./start-services.ts";
import type { TaskBench } from "./task-bench.ts";
import { trustedDownload } from "./trusted-download.ts";

/** What the oracle sees besides an agent's machine: our runtime and the package, the reference left out. */
export async function oracleMounts(bench: TaskBench, open: OpenTask): Promise<readonly Mount[]> {
  const source = await open.withoutReference();
  return [...(await agentRuntime(bench, open.task)), { source, target: sandboxLayout.task }];
}

/** Runs the oracle on a machine as an agent would get it. The whole output folder lands in `into`. */
export async function solveInstance(
  bench: TaskBench,
  task: TaskPackage,
  instance: TaskInstance,
  into: string,
): Promise<StepOutcome> {
  await using open = await openTask(bench, task);
  const program = requireProgram(open.task, "solve", instance);
  await using teardown = benchTeardown(bench);
  const spec = await agentMachine({
    bench,
    task,
    instance,
    labels: { run: bench.run, trial: `solve-${instance.variant}`, attempt: 1, role: "agent" },
    mounts: await oracleMounts(bench, open),
    env: {},
  });
  const { value: sandbox } = await teardown.acquire("agent sandbox", () => bench.provider.create(spec));
  const setup = { bench, task, instance, sandbox, packageMounted: true };
  await placeInput(setup);
  const timeoutMs = minutesToMs(task.manifest.limits.wall_minutes);
  const timeout = timeoutMs === undefined ? {} : { timeoutMs };
  const ready = await runTrustedPart(setup, "setup", { ...timeout, network: "host" });
  if (ready?.kind === "failed") return { kind: "failed", message: `setup: ${ready.message}` };
  const down = await startServices({ task, clock: bench.clock, teardown }, sandbox);
  if (down !== undefined) return { kind: "failed", message: down };
  const end = await runProgram(sandbox, program, timeout);
  if (end.kind === "failed") return { kind: "failed", message: `solve: ${end.message}` };
  await sandbox.quiesce();
  const collected = await runTrustedPart(setup, "collect", timeout);
  if (collected?.kind === "failed") return { kind: "failed", message: `collect: ${collected.message}` };
  await using folder = await makePrivateFolder(bench.tempDir, "solved");
  const output = join(folder.dir, "output");
  await sandbox.download(sandboxLayout.output, output, trustedDownload);
  await makeFolder(into);
  await cp(output, into, { recursive: true, verbatimSymlinks: true });
  await makeReadable(into);
  return { kind: "done" };
}
