import { basename, join } from "node:path";
import type { PlannedTrial } from "../../contract/exam-plan.ts";
import { makePrivateFolder, sweepPrivateFolders } from "../bench/private-folder.ts";
import { type BudgetGate, createBudgetGate } from "../schedule/budget-gate.ts";
import { ResourcePool } from "../schedule/resource-pool.ts";
import { resolveTrialOptions } from "../trial/trial-options.ts";
import type { ConductOptions } from "./conduct-options.ts";
import { costOfAttempt, knownCost } from "./cost-of-attempt.ts";
import type { ExamProgress, ExamSummary } from "./exam-progress.ts";
import { ExamTally } from "./exam-tally.ts";
import { requireSameProviders } from "./require-same-providers.ts";
import { resolveCast, type TrialCast } from "./resolve-cast.ts";
import { lockRun } from "./run-lock.ts";
import { type Hall, sitTrial } from "./sit-trial.ts";
import { needsAttempt } from "./trial-standing.ts";

/** Trials that may wait for a place, or between attempts, at once: bounds memory, and lets small needs pass big ones. */
const lookahead = 32;

/**
 * Runs an exam to its end, from wherever it stands: trials finished before are left alone, attempts cut off stay as
 * evidence beside the new ones. Resolves also when stopped; rejects with an `AleError` for an exam that cannot be
 * run, and with whatever broke when the record can no longer be written.
 */
export async function conductExam(options: ConductOptions): Promise<ExamSummary> {
  const { run, atOnce, bench } = options;
  await using screens = await makePrivateFolder(bench.tempDir, "screens");
  await using _lock = await lockRun(run.dir, { clock: bench.clock, screens: screens.dir });
  const cast = await resolveCast(options);
  await requireSameProviders(options);
  await sweepPrivateFolders(bench.tempDir);
  for (const name of ["drafts", "packages"]) await sweepPrivateFolders(join(bench.cacheDir, name));
  await bench.provider.reap({ run: basename(run.dir) });
  const attempts = await run.attempts();
  const { budget, limits } = run.plan.file;
  const gate = createBudgetGate(budget.cost_usd, limits.cost_usd);
  const contestantOf = new Map(run.plan.trials.map(({ id, contestant }) => [id, contestant]));
  let costUsd = 0;
  for (const attempt of attempts) {
    const cost = await costOfAttempt(attempt);
    costUsd += cost;
    gate.spend(contestantOf.get(attempt.trial) ?? "", cost, attempt.result?.status);
  }
  const tally = new ExamTally(run.plan.trials.length, attempts, costUsd);
  const conducting = admitAll(options, screens.dir, cast, tally, gate);
  const end = atOnce === undefined ? await conducting : await Promise.race([conducting, abandoned(atOnce)]);
  // Nobody waits for it any more: what it still comes to is in the record, or the reaper's.
  if (end === "abandoned") conducting.catch(() => undefined);
  const summary = tally.summary(end);
  options.onProgress?.({ type: "exam-ended", summary });
  return summary;
}

async function admitAll(
  options: ConductOptions,
  screens: string,
  cast: (trial: PlannedTrial) => TrialCast,
  tally: ExamTally,
  budget: BudgetGate,
): Promise<ExamSummary["end"]> {
  const { run, capacity, rerun = [] } = options;
  const failure = new AbortController();
  const stop = options.stop ?? new AbortController().signal;
  let toldClosed = false;
  const tell = (event: ExamProgress): void => {
    if (event.type === "attempt-ended") {
      tally.add(event.result);
      budget.spend(event.trial.contestant, knownCost(event.result), event.result.status);
    }
    options.onProgress?.(event);
    if (budget.isClosed && !toldClosed) {
      toldClosed = true;
      options.onProgress?.({ type: "admission-stopped", because: "budget" });
    }
  };
  const { trials, cpus, memory_mb, verifiers } = capacity;
  const limited = { trials, ...(cpus && { cpus }), ...(memory_mb && { memory_mb }) };
  const hall: Hall = {
    options,
    bench: { ...options.bench, run: basename(run.dir) },
    trialOptions: resolveTrialOptions(options.trialOptions),
    places: new ResourcePool(limited),
    verifiers: new ResourcePool(verifiers === undefined ? {} : { verifiers }),
    cancel: AbortSignal.any([stop, failure.signal]),
    tell,
    budget,
    screens,
  };

  hall.cancel.addEventListener("abort", () => {
    tell({ type: "admission-stopped", because: failure.signal.aborted ? "failure" : "stop" });
  });
  const open = run.plan.trials.filter((trial) => needsAttempt(tally.standing(trial.id), rerun));
  tell({ type: "exam-started", planned: run.plan.trials.length, done: run.plan.trials.length - open.length });
  const waiting = new ResourcePool({ waiting: lookahead });
  const running = new Set<Promise<void>>();
  for (const trial of open) {
    const ticket = await waiting.acquire({ waiting: 1 }, hall.cancel).catch(() => undefined);
    if (ticket === undefined || budget.isClosed) break;
    const sitting = sitTrial(hall, trial, cast(trial), () => ticket[Symbol.dispose]())
      .then(() => undefined)
      .catch((error: unknown) => failure.abort(error))
      .finally(() => running.delete(sitting));
    running.add(sitting);
  }
  await Promise.all(running);
  failure.signal.throwIfAborted();
  if (stop.aborted) return "stopped";
  return budget.isClosed && open.some((trial) => tally.standing(trial.id) === undefined)
    ? "budget-spent"
    : "finished";
}

function abandoned(signal: AbortSignal): Promise<"abandoned"> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve("abandoned");
    signal.addEventListener("abort", () => resolve("abandoned"), { once: true });
  });
}
