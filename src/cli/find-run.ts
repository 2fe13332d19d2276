import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import { needsAttempt, trialStandings } from "../exam/conduct/trial-standing.ts";
import { listRuns } from "../record/list-runs.ts";
import { openRun } from "../record/open-run.ts";
import { isSitting } from "./is-sitting.ts";

/** Where runs are kept unless told otherwise, relative to the working directory. */
export const defaultRunsDir = "runs";

/**
 * The run directory that `name` means: a path, a name under the runs folder, or, when absent, the newest run.
 * Throws `unknown-run` when there is none.
 */
export async function findRun(name: string | undefined, runsDir: string, cwd: string): Promise<string> {
  const folder = resolve(cwd, runsDir);
  const runs = await listRuns(folder);
  if (name === undefined) {
    const newest = runs.at(-1);
    if (newest !== undefined) return newest;
    throw new AleError({
      code: "unknown-run",
      message: `there is no run in ${folder}`,
      remedy: "sit an exam first (npx ale run --agent oracle), or name the folder with --runs-dir",
    });
  }
  for (const candidate of [resolve(cwd, name), join(folder, name)]) {
    if (await isRun(candidate)) return candidate;
  }
  throw new AleError({
    code: "unknown-run",
    message: `${name} is not a run directory, nor the name of one in ${folder}`,
    remedy: runs.length === 0 ? "no run was made there yet" : `the newest is ${runs.at(-1)}`,
  });
}

async function isRun(dir: string): Promise<boolean> {
  return await access(join(dir, "exam.json")).then(
    () => true,
    () => false,
  );
}

/**
 * The run to resume: the one named, or the newest whose plan has trials to be sat yet, or again because they
 * were cancelled or failed by the house, people's sittings left out (with `includeFinished`, the newest). Throws `unknown-run`
 * when there is none.
 */
export async function findUnfinishedRun(
  name: string | undefined,
  runsDir: string,
  cwd: string,
  includeFinished: boolean,
): Promise<string> {
  if (name !== undefined || includeFinished) return findRun(name, runsDir, cwd);
  const folder = resolve(cwd, runsDir);
  const runs = await listRuns(folder);
  for (const dir of runs.toReversed()) {
    const run = await openRun(dir);
    if (isSitting(run.plan)) continue;
    const standings = trialStandings(await run.attempts());
    if (run.plan.trials.some((trial) => needsAttempt(standings.get(trial.id), []))) return dir;
  }
  // A run that was finished in the meantime is resumed in no time, and its report printed again.
  return findRun(undefined, runsDir, cwd);
}
