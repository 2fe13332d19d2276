import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readReportedBoard } from "../board/reported/board-store.ts";
import { AleError } from "../contract/ale-error.ts";
import type { ReportedBoard } from "../contract/reported-board.ts";
import { orAbsent } from "../files/or-absent.ts";
import { listRuns } from "../record/list-runs.ts";
import { openRun } from "../record/open-run.ts";
import type { About } from "../server/api/about.ts";
import type { AppOptions } from "../server/app-options.ts";
import { createRunShelf } from "../server/run-shelf.ts";
import type { ServedTask, ServedTaxonomy } from "../server/served-task.ts";
import { findTasks } from "../task/find-tasks.ts";
import type { TaskPackage } from "../task/task-package.ts";
import type { CliContext } from "./cli-context.ts";
import { findDefaultTasks } from "./find-default-tasks.ts";
import { findLiveRun } from "./find-live-run.ts";
import { findRun } from "./find-run.ts";
import { packageRoot, packageVersion } from "./package-info.ts";
import { readFailureScheme, readFailures } from "./read-failures.ts";
import { taskFormats } from "./read-tasks.ts";

/** What a viewer shows. */
export interface ViewerOptions {
  /** Names or folders of runs; none means every run of `runsDir`. */
  readonly runs: readonly string[];
  readonly runsDir: string;
  readonly boardsDir: string;
  readonly tasksRoot?: readonly string[];
  readonly maintainer: boolean;
  readonly mode: About["mode"];
  /** Leaves the runs' indexes as they are. */
  readonly withoutIndex?: boolean;
}

/** What the read API answers from: runs, tasks, taxonomy and the imported board of this machine. */
export async function viewerSources(context: CliContext, options: ViewerOptions): Promise<AppOptions> {
  const { withoutIndex = false } = options;
  const folders = await runFolders(context, options);
  const shelf = createRunShelf({ folders, live: findLiveRun, clock: context.clock, withoutIndex });
  const taxonomy = JSON.parse(
    await readFile(join(packageRoot, "data", "taxonomy.json"), "utf8"),
  ) as ServedTaxonomy;
  const roots = options.tasksRoot?.map((root) => resolve(context.cwd, root)) ?? [
    await findDefaultTasks(context.cwd),
  ];
  let tasks: Promise<readonly ServedTask[]> | undefined;
  const { maintainer, mode } = options;
  const about = {
    version: packageVersion(),
    maintainer,
    ...(mode === "exported" ? { exportedAt: context.clock.now() } : {}),
  };
  return {
    about,
    mode,
    shelf,
    live: findLiveRun,
    clock: context.clock,
    tasks: () => {
      tasks ??= readServedTasks(roots, folders);
      return tasks;
    },
    taxonomy,
    failures: {
      scheme: () => readFailureScheme(),
      judge: async (runDir) => (await readFailures(await openRun(runDir))).judgements,
    },
    reported: () => importedBoard(resolve(context.cwd, options.boardsDir)),
  };
}

async function runFolders(
  context: CliContext,
  options: ViewerOptions,
): Promise<() => Promise<readonly string[]>> {
  const { runs, runsDir } = options;
  if (runs.length === 0) return () => listRuns(resolve(context.cwd, runsDir));
  const named = await Promise.all(runs.map((run) => findRun(run, runsDir, context.cwd)));
  return () => Promise.resolve(named);
}

/** The tasks of the roots, but for drafts, and those the runs were made of where they still stand. */
async function readServedTasks(
  roots: readonly string[],
  folders: () => Promise<readonly string[]>,
): Promise<readonly ServedTask[]> {
  const own = await findTasks(await presentFolders(roots), taskFormats);
  const ready = own.packages.filter((task) => task.marks.length === 0);
  const known = new Set(ready.map((task) => task.dir));
  const ofRuns = new Set<string>();
  for (const dir of await folders()) {
    const run = await openRun(dir).catch(ignoreDamaged);
    for (const { packageDir } of run?.lock.instances ?? [])
      if (!known.has(packageDir)) ofRuns.add(packageDir);
  }
  const others = await findTasks(await presentFolders([...ofRuns]), taskFormats);
  const ids = new Set(ready.map((task) => task.manifest.id));
  return [...ready, ...others.packages.filter((task) => !ids.has(task.manifest.id))].map(served);
}

/** A damaged run is told of in the list of runs. */
function ignoreDamaged(error: unknown): undefined {
  if (!AleError.isInstance(error)) throw error;
  return undefined;
}

async function presentFolders(folders: readonly string[]): Promise<readonly string[]> {
  const stats = await Promise.all(folders.map((folder) => orAbsent(stat(folder))));
  return folders.filter((_, index) => stats[index]?.isDirectory() === true);
}

function served(task: TaskPackage): ServedTask {
  const { manifest, contentHash, instances } = task;
  return {
    manifest,
    contentHash,
    instances,
    async instruction(id) {
      const instance = instances.find((candidate) => candidate.id === id);
      if (instance === undefined)
        throw new AleError({ code: "unknown-instance", message: `there is no ${id}` });
      return task.instruction(instance);
    },
  };
}

async function importedBoard(dir: string): Promise<ReportedBoard | undefined> {
  return readReportedBoard(dir).catch((error: unknown) => {
    if (AleError.isInstance(error) && error.code === "unknown-board") return undefined;
    throw error;
  });
}
