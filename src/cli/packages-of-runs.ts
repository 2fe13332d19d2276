import { stat } from "node:fs/promises";
import { orAbsent } from "../files/or-absent.ts";
import type { RunRecord } from "../record/run-record.ts";
import { findTasks } from "../task/find-tasks.ts";
import type { TaskPackage } from "../task/task-package.ts";
import { taskFormats } from "./read-tasks.ts";

/** The packages of runs' tasks, as they are now where the runs found them; those that are gone are not among them. */
export async function packagesOfRuns(
  runs: readonly Pick<RunRecord, "lock">[],
): Promise<readonly TaskPackage[]> {
  const dirs = [...new Set(runs.flatMap((run) => run.lock.instances.map((instance) => instance.packageDir)))];
  const present = await Promise.all(dirs.map((dir) => orAbsent(stat(dir))));
  const { packages } = await findTasks(
    dirs.filter((_, index) => present[index]?.isDirectory() === true),
    taskFormats,
  );
  return packages;
}
