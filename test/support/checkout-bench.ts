import { join } from "node:path";
import type { Clock } from "../../src/contract/clock.ts";
import { createTaskBench, type TaskBench } from "../../src/exam/bench/task-bench.ts";
import type { SandboxProvider } from "../../src/sandbox/provider.ts";
import { repositoryRoot } from "../source-imports.ts";

export interface CheckoutBenchOptions {
  readonly provider: SandboxProvider;
  readonly clock: Clock;
  /** For the bench's cache and temporary files. */
  readonly dir: string;
  readonly run: string;
}

/** A bench whose tasks run on this checkout of the sources and on this Node. */
export function createCheckoutBench({ provider, clock, dir, run }: CheckoutBenchOptions): TaskBench {
  return createTaskBench({
    provider,
    clock,
    runtime: {
      packageRoot: repositoryRoot,
      nodeModules: join(repositoryRoot, "node_modules"),
      nodeBinary: process.execPath,
    },
    cacheDir: join(dir, "cache"),
    tempDir: join(dir, "temp"),
    run,
  });
}
