import { join } from "node:path";
import type { Artifact } from "../../contract/artifact.ts";
import type { Finding } from "../../contract/finding.ts";
import type { Random } from "../../contract/random.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { TaskInstance, TaskPackage } from "../task-package.ts";
import type { GradeOutcome, TaskWorkbench } from "./workbench.ts";

/** What every part of QC works with. */
export interface CheckContext {
  readonly task: TaskPackage;
  readonly instance: TaskInstance;
  readonly workbench: TaskWorkbench;
  readonly random: Random;
  /** Gradings at once. */
  readonly concurrency: number;
  /** A new empty folder on the host. */
  folder(name: string): Promise<string>;
  report(finding: Finding): void;
}

export interface Judged {
  readonly artifacts: readonly Artifact[];
  /** Holds what was collected. */
  readonly dir: string;
  readonly outcome: GradeOutcome;
}

/** Collects an output folder and grades what was taken, as after a trial. */
export async function judge(context: CheckContext, name: string, output: string): Promise<Judged> {
  const { task, instance, workbench } = context;
  const dir = await context.folder(`${name}-artifacts`);
  const artifacts = await workbench.collect(task, output, dir);
  return { artifacts, dir, outcome: await workbench.grade(task, instance, dir) };
}

/** Makes folders below `work`, each with a number of its own. */
export function folderMaker(work: string): (name: string) => Promise<string> {
  let count = 0;
  return async (name) => {
    const path = join(work, `${String(++count).padStart(3, "0")}-${name}`);
    await makeFolder(path);
    return path;
  };
}

/** The score of a grading with the reason where there is none, as reports hold it. */
export function scoreOf(outcome: GradeOutcome): {
  readonly score: number | null;
  readonly scoreReason?: string;
} {
  return outcome.kind === "verdict"
    ? { score: outcome.verdict.score }
    : { score: null, scoreReason: outcome.message };
}

/** The finding of a grader that ended without a verdict on `what`. */
export function crashed(what: string, message: string): Finding {
  return {
    severity: "error",
    code: "grader-crashed",
    message: `the grader failed on ${what}: ${message}`,
    remedy: "let grade return a verdict for whatever is handed in; only a broken reference may make it throw",
  };
}
