import { summariseRun } from "../board/summarise-run.ts";
import type { RunSummary, RunView, TrialState } from "./api/run-summary.ts";
import type { LoadedRun } from "./loaded-run.ts";
import { trialState } from "./trial-rows.ts";

/** A run for the list of runs. */
export function runSummary(run: LoadedRun): RunSummary {
  const states: Partial<Record<TrialState, number>> = {};
  for (const trial of run.trials) {
    const state = trialState(trial, run);
    states[state] = (states[state] ?? 0) + 1;
  }
  const finished = run.trials.filter((trial) => trial.counted !== undefined).length;
  const { plan, id } = run;
  return {
    id,
    exam: plan.exam,
    createdAt: plan.createdAt,
    contestants: plan.contestants.map((contestant) => contestant.name),
    planned: run.trials.length,
    finished,
    states,
    policy: plan.scoring.name,
    stage: run.active.size > 0 ? "running" : finished === run.trials.length ? "finished" : "unfinished",
  };
}

/** A run for its own page. */
export function runView(run: LoadedRun): RunView {
  const { plan, lock, attempts } = run;
  const names = plan.contestants.map((contestant) => contestant.name);
  return {
    ...runSummary(run),
    scores: summariseRun(attempts, plan.scoring, { planned: plan.trials }).toSorted(
      (one, other) => names.indexOf(one.contestant) - names.indexOf(other.contestant),
    ),
    provider: lock.provider.name,
    aleVersion: lock.ale.version,
    host: `${lock.host.os} ${lock.host.kernel}, ${lock.host.arch}, ${lock.host.cpus} cpus, Node ${lock.node}`,
    problems: attempts.flatMap((attempt) => attempt.problems.map((problem) => problem.message)),
  };
}
