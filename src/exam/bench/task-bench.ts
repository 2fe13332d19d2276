import type { Clock } from "../../contract/clock.ts";
import type { SandboxProvider } from "../../sandbox/provider.ts";
import type { StagedInstance } from "../../task/qc/workbench.ts";
import type { TaskPackage } from "../../task/task-package.ts";

/** What task programs need on a trusted machine: this package, its dependencies, and the Node program. */
export interface TaskRuntime {
  /** Holds our `package.json` and `src` or `dist`. */
  readonly packageRoot: string;
  readonly nodeModules: string;
  readonly nodeBinary: string;
}

export interface TaskBenchOptions {
  readonly provider: SandboxProvider;
  readonly clock: Clock;
  readonly runtime: TaskRuntime;
  /** Generated instances, by content; holds references, so it is made unreadable for other users. */
  readonly cacheDir: string;
  /** Where private temporary folders are made. */
  readonly tempDir: string;
  /** Opens a sealed package into a folder. Absent: there is no key. */
  readonly unseal?: (task: TaskPackage, into: string) => Promise<TaskPackage>;
  /** Names this process's sandboxes in listings. */
  readonly run: string;
}

/** The one place where a task's programs are run from, for QC and for trials alike. */
export interface TaskBench extends TaskBenchOptions {
  /** Instances being staged by this process: the second asker waits for the first. */
  readonly staging: Map<string, Promise<StagedInstance>>;
}

/** A bench that has staged nothing yet. */
export function createTaskBench(options: TaskBenchOptions): TaskBench {
  return { ...options, staging: new Map() };
}
