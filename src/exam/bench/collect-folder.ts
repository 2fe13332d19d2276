import type { Artifact } from "../../contract/artifact.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import { benchTeardown } from "./bench-teardown.ts";
import { collectOutputs } from "./collect-outputs.ts";
import { leaseSeconds, maxProcesses } from "./open-sandbox.ts";
import type { TaskBench } from "./task-bench.ts";

/** Collects from a host folder as after a trial: through a machine, with the same refusals. */
export async function collectFolder(
  bench: TaskBench,
  task: TaskPackage,
  output: string,
  into: string,
): Promise<readonly Artifact[]> {
  const needs = task.manifest.sandbox;
  await using teardown = benchTeardown(bench);
  const { value: sandbox } = await teardown.acquire("collecting sandbox", () =>
    bench.provider.create({
      labels: { run: bench.run, trial: "collect", attempt: 1, role: "test" },
      leaseSeconds,
      // It stands for any machine: an image of another system could not even be looked into.
      ...(needs.image === undefined || needs.os !== "linux" ? {} : { image: needs.image }),
      cpus: needs.cpus,
      memoryMb: needs.memory_mb,
      diskMb: needs.disk_mb,
      maxProcesses,
      network: "off",
      mounts: [],
      env: {},
    }),
  );
  await sandbox.upload(output, sandboxLayout.output);
  await sandbox.quiesce();
  return await collectOutputs(sandbox, task.manifest.outputs, into);
}
