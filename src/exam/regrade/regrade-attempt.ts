import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { isRetryable, type TrialStatus, trialStatusSchema } from "../../contract/trial-status.ts";
import { recordRegrade } from "../../record/record-regrade.ts";
import type { AttemptRecord, Regrade } from "../../record/run-record.ts";
import { isFolder } from "../../task/is-folder.ts";
import type { GradeOutcome } from "../../task/qc/workbench.ts";
import type { TaskInstance, TaskPackage } from "../../task/task-package.ts";
import { benchTeardown } from "../bench/bench-teardown.ts";
import { gradeArtifacts } from "../bench/grade-artifacts.ts";
import type { TaskBench } from "../bench/task-bench.ts";

export interface RegradeOptions {
  readonly attempt: AttemptRecord;
  readonly task: TaskPackage;
  readonly instance: TaskInstance;
  readonly bench: TaskBench;
  /** Key under the package as it is now; that of the lock when nothing has changed. */
  readonly comparabilityKey: string;
  /** Why, in words, for the record. */
  readonly because: string;
  /** Values that must never reach the record, such as API keys. */
  readonly secrets: readonly string[];
}

/**
 * Grades an attempt's stored artifacts again and records the outcome beside it; nothing is overwritten, and no agent
 * runs. Rejects with an `AleError` coded `not-collected` when the attempt never came to its artifacts.
 */
export async function regradeAttempt(options: RegradeOptions): Promise<Regrade> {
  const { attempt, task, instance, bench } = options;
  const artifacts = join(attempt.dir, "artifacts");
  const agentStatus = await agentStatusOf(attempt);
  if (agentStatus === undefined) throw notCollected(attempt);
  if (!(await isFolder(artifacts))) await mkdir(artifacts);
  await using teardown = benchTeardown(bench);
  const labels = {
    run: bench.run,
    trial: attempt.trial,
    attempt: attempt.attempt,
    role: "verifier",
  } as const;
  const { outcome } = await gradeArtifacts({ bench, task, instance, artifacts, labels, teardown });
  return recordRegrade({
    attempt,
    clock: bench.clock,
    because: options.because,
    taskHash: task.contentHash,
    comparabilityKey: options.comparabilityKey,
    status: regradedStatus(agentStatus, outcome),
    outcome,
    secrets: options.secrets,
  });
}

/** The agent's own end, once there is a verdict for it; a grader that fails again is an error again. */
function regradedStatus(agentStatus: TrialStatus, outcome: GradeOutcome): TrialStatus {
  return outcome.kind === "verdict" ? agentStatus : "verifier_error";
}

/** How the agent itself ended, when its artifacts were collected after it; `undefined` when they were not. */
async function agentStatusOf(attempt: AttemptRecord): Promise<TrialStatus | undefined> {
  let agentStatus: TrialStatus | undefined;
  let collected = false;
  for await (const event of attempt.events()) {
    if (event.type === "note" && event.code === "agent-end")
      agentStatus = trialStatusSchema.parse(event.data);
    if (event.type === "phase-ended" && event.phase === "collect") collected = event.outcome === "ok";
  }
  return collected && agentStatus !== undefined && !isRetryable(agentStatus) ? agentStatus : undefined;
}

function notCollected(attempt: AttemptRecord): AleError {
  return new AleError({
    code: "not-collected",
    message: `attempt ${attempt.attempt} of ${attempt.trial} never came to collecting its artifacts`,
    remedy: "Run the trial again: resume the exam, or rerun it by its status.",
    fields: { trial: attempt.trial, attempt: attempt.attempt },
  });
}
