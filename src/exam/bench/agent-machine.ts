import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { windowsLayout } from "../../contract/windows-layout.ts";
import type { Mount, SandboxLabels, SandboxSpec } from "../../sandbox/provider.ts";
import type { TaskInstance, TaskPackage } from "../../task/task-package.ts";
import { agentRuntime } from "./agent-runtime.ts";
import { distinctTargets } from "./distinct-targets.ts";
import { hasPart } from "./has-part.ts";
import { leaseSeconds, maxProcesses } from "./open-sandbox.ts";
import { openTask } from "./open-task.ts";
import type { TaskBench } from "./task-bench.ts";

export interface AgentMachineRequest {
  readonly bench: TaskBench;
  readonly task: TaskPackage;
  readonly instance: TaskInstance;
  readonly labels: SandboxLabels;
  /** What the harness needs on the machine; of two on one place the first is mounted. */
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
}

/** The machine a contestant works in, as the task asks for it. */
export async function agentMachine(request: AgentMachineRequest): Promise<SandboxSpec> {
  const { bench, task, instance, labels } = request;
  const needs = task.manifest.sandbox;
  const places = needs.os === "windows" ? windowsLayout : sandboxLayout;
  const trusted = hasPart(task, "setup", instance) || hasPart(task, "collect", instance);
  const runtime = trusted ? await openedRuntime(bench, task) : [];
  // A driver of the screen may be left out: what the task's own programs need does not rest on it.
  const needed = request.mounts.filter((mount) => mount.screenDriver !== true);
  const drivers = request.mounts.filter((mount) => mount.screenDriver === true);
  const kept = new Set(distinctTargets([...needed, ...runtime, ...drivers]));
  return {
    labels,
    leaseSeconds,
    ...(needs.image === undefined ? {} : { image: needs.image }),
    ...(needs.os === "linux" ? {} : { os: needs.os }),
    ...(needs.gpu === 0 ? {} : { gpus: needs.gpu }),
    cpus: needs.cpus,
    memoryMb: needs.memory_mb,
    diskMb: needs.disk_mb,
    maxProcesses,
    network: task.manifest.network,
    // The runtime first: others may lie within it.
    mounts: [...runtime, ...needed, ...drivers].filter((mount) => kept.has(mount)),
    env: {
      ...request.env,
      ALE_INSTANCE: instance.id,
      ALE_INPUT: places.input,
      ALE_OUTPUT: places.output,
      ALE_BUDGET_FILE: places.budgetFile,
    },
  };
}

/** What a sealed package loads cannot be read. Without its key no trial comes so far as to need it. */
async function openedRuntime(bench: TaskBench, task: TaskPackage): Promise<readonly Mount[]> {
  if (task.manifest.sandbox.os === "linux") return agentRuntime(bench, task);
  if (task.sealed && bench.unseal === undefined) return [];
  await using open = await openTask(bench, task);
  return agentRuntime(bench, open.task);
}
