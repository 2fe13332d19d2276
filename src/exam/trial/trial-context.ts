import type { Clock } from "../../contract/clock.ts";
import type { Contestant } from "../../contract/contestant.ts";
import type { PlannedTrial } from "../../contract/exam-plan.ts";
import type { Limits } from "../../contract/limits.ts";
import type { TrialPhase } from "../../contract/trial-phase.ts";
import type { Harness } from "../../harness/harness.ts";
import type { AttemptWriter } from "../../record/run-record.ts";
import type { SandboxLabels } from "../../sandbox/provider.ts";
import type { TaskInstance, TaskPackage } from "../../task/task-package.ts";
import type { TaskBench } from "../bench/task-bench.ts";
import type { LineOpener } from "../line/trial-line.ts";
import type { ResourcePool } from "../schedule/resource-pool.ts";
import type { TeardownStack } from "../teardown-stack.ts";
import type { ResolvedTrialOptions } from "./trial-options.ts";

/** Everything one attempt at one trial is made of. */
export interface TrialContext {
  readonly trial: PlannedTrial;
  readonly contestant: Contestant;
  readonly task: TaskPackage;
  readonly instance: TaskInstance;
  /** The task's, tightened by the exam's. */
  readonly limits: Limits;
  readonly harness: Harness;
  readonly harnessVersion: string;
  readonly comparabilityKey: string;
  readonly writer: AttemptWriter;
  readonly bench: TaskBench;
  readonly clock: Clock;
  readonly options: ResolvedTrialOptions;
  readonly cancel: AbortSignal;
  readonly teardown: TeardownStack;
  /** Graders in flight at once. */
  readonly verifiers: ResourcePool;
  readonly lines: LineOpener;
  /** Folder for the socket on which its screen is shown, which only this user may enter. */
  readonly screens: string;
  readonly onPhase: (phase: TrialPhase, state: "started" | "ended") => void;
}

/** Labels of a sandbox of this attempt. */
export function labelsOf(context: TrialContext, role: SandboxLabels["role"]): SandboxLabels {
  const { bench, trial, writer } = context;
  return { run: bench.run, trial: trial.id, attempt: writer.attempt, role };
}
