import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { Mount, SandboxLabels, SandboxSpec } from "../../sandbox/provider.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { TaskInstance, TaskPackage } from "../../task/task-package.ts";
import type { TeardownStack } from "../teardown-stack.ts";
import { environmentFor } from "./fixed-environment.ts";
import { runtimeMounts } from "./runtime-mounts.ts";
import type { TaskBench } from "./task-bench.ts";

/** Seconds a sandbox of ours may live without its lease being pushed on. */
export const leaseSeconds: number = 900;

/** Processes a machine may hold at once. */
export const maxProcesses: number = 1024;

export interface TrustedSandboxRequest {
  readonly bench: TaskBench;
  readonly task: TaskPackage;
  readonly instance: TaskInstance;
  readonly labels: SandboxLabels;
  readonly mounts: readonly Mount[];
  /** The package was unsealed for this machine alone. */
  readonly unsealed?: boolean;
  readonly memoryMb: number;
  readonly teardown: TeardownStack;
  readonly signal?: AbortSignal;
}

/** An open sandbox; `close` tears it down early and once. */
export interface OpenSandbox {
  readonly sandbox: Sandbox;
  readonly close: () => Promise<void>;
}

/** A machine for a task's own program: no network, the package and our runtime read-only, a fixed environment. */
export async function openTrustedSandbox(request: TrustedSandboxRequest): Promise<OpenSandbox> {
  const { bench, task, instance, labels } = request;
  const needs = task.manifest.sandbox;
  const spec: SandboxSpec = {
    labels,
    leaseSeconds,
    // A task's own programs run on Linux, whatever the agent's machine is.
    ...(needs.image === undefined || needs.os !== "linux" ? {} : { image: needs.image }),
    cpus: needs.cpus,
    memoryMb: request.memoryMb,
    diskMb: needs.disk_mb,
    maxProcesses,
    network: "off",
    mounts: [
      ...(await runtimeMounts(bench.runtime)),
      { source: task.dir, target: sandboxLayout.task, ...(request.unsealed === true ? { own: true } : {}) },
      ...request.mounts,
    ],
    env: environmentFor(instance),
  };
  const { value, close } = await request.teardown.acquire(`${labels.role} sandbox`, () =>
    bench.provider.create(spec, request.signal),
  );
  return { sandbox: value, close };
}
