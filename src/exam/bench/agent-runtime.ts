import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { Mount } from "../../sandbox/provider.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import { runtimeMounts } from "./runtime-mounts.ts";
import type { TaskBench } from "./task-bench.ts";
import { layWindowsRuntime } from "./windows-runtime.ts";

/**
 * What the task's own programs need on an agent's machine. A Windows guest has a Node of its own, and takes what is shown
 * to it as a copy: there it is only what they load.
 *
 * @param task opened, where it is sealed: of one that is not, nothing can be read.
 */
export async function agentRuntime(bench: TaskBench, task: TaskPackage): Promise<readonly Mount[]> {
  if (task.manifest.sandbox.os !== "windows") return runtimeMounts(bench.runtime);
  const source = await layWindowsRuntime(bench.runtime, task.dir, bench.cacheDir);
  return [{ source, target: sandboxLayout.runtime }];
}
