import type { TrialStatus } from "../../contract/trial-status.ts";
import type { Harness } from "../../harness/harness.ts";
import type { RunRecord } from "../../record/run-record.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import type { TaskBench } from "../bench/task-bench.ts";
import type { LineOpener } from "../line/trial-line.ts";
import type { TrialOptions } from "../trial/trial-options.ts";
import type { ExamProgress } from "./exam-progress.ts";

/** Most in flight at once, by kind of resource; absent = no limit of that kind. */
export interface ExamCapacity {
  readonly trials: number;
  readonly cpus?: number;
  readonly memory_mb?: number;
  readonly verifiers?: number;
}

export interface ConductOptions {
  readonly run: RunRecord;
  /** The packages of the plan's instances, unchanged since the run was made. */
  readonly tasks: readonly TaskPackage[];
  readonly bench: TaskBench;
  readonly harnesses: ReadonlyMap<string, Harness>;
  readonly capacity: ExamCapacity;
  readonly trialOptions?: TrialOptions;
  /** Lines of trials to their models and allowed hosts; default none. */
  readonly lines?: LineOpener;
  /** Also sit again the trials that stand like this. */
  readonly rerun?: readonly TrialStatus[];
  /** Aborting it admits nothing more and ends running trials as `cancelled`, torn down. */
  readonly stop?: AbortSignal;
  /** Aborting it returns at once; what still lives is the reaper's. */
  readonly atOnce?: AbortSignal;
  readonly onProgress?: (event: ExamProgress) => void;
}
