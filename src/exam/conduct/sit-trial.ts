import type { PlannedTrial } from "../../contract/exam-plan.ts";
import type { TrialResult } from "../../contract/trial-result.ts";
import { isRetryable } from "../../contract/trial-status.ts";
import type { TaskBench } from "../bench/task-bench.ts";
import { noLine } from "../line/trial-line.ts";
import type { BudgetGate, BudgetShare } from "../schedule/budget-gate.ts";
import type { Lease, ResourcePool } from "../schedule/resource-pool.ts";
import { TeardownStack } from "../teardown-stack.ts";
import { runAttempt } from "../trial/run-attempt.ts";
import type { ResolvedTrialOptions } from "../trial/trial-options.ts";
import type { ConductOptions } from "./conduct-options.ts";
import type { ExamProgress } from "./exam-progress.ts";
import type { TrialCast } from "./resolve-cast.ts";

/** What every trial of one conducted exam shares. */
export interface Hall {
  readonly options: ConductOptions;
  readonly bench: TaskBench;
  readonly trialOptions: ResolvedTrialOptions;
  readonly places: ResourcePool;
  readonly verifiers: ResourcePool;
  readonly cancel: AbortSignal;
  readonly tell: (event: ExamProgress) => void;
  readonly budget: BudgetGate;
  /** Folder of the sockets on which trials show their screens. */
  readonly screens: string;
}

/**
 * Sits a trial: waits for a place, makes an attempt, and makes another after a growing pause as long as the failure
 * is not the contestant's and attempts are left. `undefined` when cancelled, or out of budget, before an attempt.
 */
export async function sitTrial(
  hall: Hall,
  trial: PlannedTrial,
  cast: TrialCast,
  onPlace: () => void,
): Promise<TrialResult | undefined> {
  const { cancel, tell } = hall;
  const { retry } = hall.options.run.plan.file;
  let result: TrialResult | undefined;
  for (let count = 1; count <= retry.attempts; count++) {
    if (result !== undefined) {
      const delayMs = retry.backoff_seconds * 1000 * 2 ** (count - 2);
      tell({ type: "retry-scheduled", trial, after: result.status, delayMs });
      if (!(await unlessCancelled(cancel, () => hall.bench.clock.sleep(delayMs, cancel)))) return result;
    }
    let share: BudgetShare | undefined;
    let place: Lease | undefined;
    await unlessCancelled(cancel, async () => {
      share = await hall.budget.admit(trial.contestant, cancel);
      if (share !== undefined) place = await hall.places.acquire(needsOf(cast), cancel);
    });
    onPlace();
    using _share = share;
    using _place = place;
    if (place === undefined) return result;
    result = await attemptTrial(hall, trial, cast);
    if (!isRetryable(result.status) || cancel.aborted) break;
  }
  if (result !== undefined) tell({ type: "trial-ended", trial, result });
  return result;
}

/** What a trial holds while an attempt runs. Its grader runs when its own machine is frozen, within the same share. */
function needsOf(cast: TrialCast): Readonly<Record<string, number>> {
  const { sandbox, grader } = cast.task.manifest;
  return { trials: 1, cpus: sandbox.cpus, memory_mb: Math.max(sandbox.memory_mb, grader.memory_mb) };
}

async function attemptTrial(hall: Hall, trial: PlannedTrial, cast: TrialCast): Promise<TrialResult> {
  const { bench, trialOptions, tell, options } = hall;
  await using writer = await options.run.startAttempt(trial.id);
  const { attempt } = writer;
  tell({ type: "attempt-started", trial, attempt });
  const { clock } = bench;
  const result = await runAttempt({
    ...cast,
    trial,
    writer,
    bench,
    clock,
    options: trialOptions,
    comparabilityKey: cast.locked.comparabilityKey,
    cancel: hall.cancel,
    teardown: new TeardownStack(clock, trialOptions.teardownMs),
    verifiers: hall.verifiers,
    lines: options.lines ?? noLine,
    screens: hall.screens,
    onPhase: (phase, state) => tell({ type: "phase", trial, attempt, phase, state }),
  });
  tell({ type: "attempt-ended", trial, result });
  return result;
}

/** False when the wait was ended by the cancel signal. */
async function unlessCancelled(cancel: AbortSignal, wait: () => Promise<void>): Promise<boolean> {
  try {
    await wait();
    return true;
  } catch (error) {
    if (cancel.aborted) return false;
    throw error;
  }
}
