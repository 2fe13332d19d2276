import { TeardownStack } from "../teardown-stack.ts";
import type { TaskBench } from "./task-bench.ts";

/** Milliseconds for undoing what one use of the bench has made. */
const teardownLimitMs = 60_000;

/** What undoes one use of the bench outside a trial, which has a stack of its own. */
export function benchTeardown(bench: TaskBench): TeardownStack {
  return new TeardownStack(bench.clock, teardownLimitMs);
}
