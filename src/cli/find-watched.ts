import { basename, resolve } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import type { Clock } from "../contract/clock.ts";
import { listRuns } from "../record/list-runs.ts";
import { type LoadedRun, refreshRun } from "../server/loaded-run.ts";
import { findLiveRun } from "./find-live-run.ts";
import { findRun } from "./find-run.ts";

/** What is to be watched. */
export interface Watched {
  readonly dir: string;
  /** Id of the one trial that was asked for. */
  readonly trial?: string;
}

export interface FindWatchedOptions {
  readonly runsDir: string;
  readonly cwd: string;
  readonly clock: Clock;
}

/**
 * The run that `target` means, by path or by name, or the run and the trial, by its id or a part of it; when absent, the newest
 * run that goes on. Throws `nothing-runs` when no process conducts it, `not-running` for a trial that does not go on, and
 * `unknown-run` and `usage` for what is not there or means several.
 */
export async function findWatched(
  target: string | undefined,
  { runsDir, cwd, clock }: FindWatchedOptions,
): Promise<Watched> {
  const folder = resolve(cwd, runsDir);
  const dir = await findRun(target, runsDir, cwd).catch((error: unknown) => {
    if (target === undefined || !AleError.isInstance(error)) throw error;
    return undefined;
  });
  if (target !== undefined && dir !== undefined) {
    if ((await findLiveRun(dir)) !== undefined) return { dir };
    throw nothingRuns(await load(dir, clock));
  }
  const going: string[] = [];
  for (const candidate of (await listRuns(folder)).toReversed()) {
    if ((await findLiveRun(candidate)) !== undefined) going.push(candidate);
  }
  const [newest] = going;
  if (target !== undefined)
    return findTrial(target, folder, await Promise.all(going.map((one) => load(one, clock))));
  if (newest !== undefined) return { dir: newest };
  throw nothingRuns(await load(dir ?? folder, clock));
}

async function load(dir: string, clock: Clock): Promise<LoadedRun> {
  const live = await findLiveRun(dir);
  const since = live?.here === true ? { since: live.since } : {};
  const reading = { before: undefined, now: clock.now(), withoutIndex: true };
  return refreshRun({ id: basename(dir), dir, ...reading, ...since });
}

function findTrial(part: string, folder: string, runs: readonly LoadedRun[]): Watched {
  const all = runs.flatMap((run) => run.trials.map((trial) => ({ run, trial })));
  const exact = all.filter(({ trial }) => trial.trial === part);
  const named = exact.length > 0 ? exact : all.filter(({ trial }) => trial.trial.includes(part));
  const running = named.filter(({ run, trial }) => run.active.has(trial.trial));
  const [first] = running;
  if (first !== undefined && running.length === 1) return { dir: first.run.dir, trial: first.trial.trial };
  const list = (some: readonly string[]): string => some.slice(0, 5).join(", ");
  if (first !== undefined) {
    throw new AleError({
      code: "usage",
      message: `${running.length} trials that run have ${JSON.stringify(part)} in their id: ${list(running.map(({ trial }) => trial.trial))}`,
      remedy: "name one of them in full, or the run to see all",
    });
  }
  const others = runs.flatMap((run) => [...run.active]);
  const remedy = others.length === 0 ? "no trial is running just now" : `running now: ${list(others)}`;
  const [known] = named;
  if (known === undefined) {
    throw new AleError({
      code: "unknown-run",
      message: `${part} is no run in ${folder}, nor the id of a trial of one that goes on there`,
      remedy,
    });
  }
  const { counted, trial } = known.trial;
  const standing = counted === undefined ? "its turn has not come" : `it has ended: ${counted.grade.status}`;
  throw new AleError({ code: "not-running", message: `trial ${trial} is not running: ${standing}`, remedy });
}

function nothingRuns({ id, trials }: LoadedRun): AleError {
  const finished = trials.filter(({ counted }) => counted !== undefined).length;
  return new AleError({
    code: "nothing-runs",
    message: `no trial is running: no process conducts ${id}, where ${finished} of ${trials.length} trials are finished`,
    remedy:
      finished === trials.length
        ? `see what was recorded: npx ale serve ${id}`
        : `go on with it: npx ale run --resume ${id}, and watch it from another terminal`,
  });
}
