import { stat } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import type { TrialResult } from "../contract/trial-result.ts";
import type { Verdict } from "../contract/verdict.ts";
import { orAbsent } from "../files/or-absent.ts";
import { countedGrade } from "../record/counted-grade.ts";
import type { AttemptRecord } from "../record/run-record.ts";
import type { ItemFile, TrialView, Withheld } from "./api/trial-view.ts";
import { listFiles } from "./files/list-files.ts";
import type { ItemSource } from "./items/item-source.ts";
import { usageOfCall, usageOfStep } from "./items/usage-of-item.ts";
import type { LoadedRun } from "./loaded-run.ts";
import type { ServedTask } from "./served-task.ts";
import { isShown } from "./task-views.ts";
import { trialRow } from "./trial-rows.ts";

/** Files that are read item by item. */
export const itemFiles: Readonly<
  Record<ItemKind, Omit<ItemSource, "path" | "mask"> & { readonly name: string }>
> = {
  events: { name: "events.jsonl", framing: "lines" },
  steps: { name: "trajectory.json", framing: "steps", usageOf: usageOfStep },
  actions: { name: "actions.jsonl", framing: "lines" },
  calls: { name: "calls.jsonl", framing: "lines", usageOf: usageOfCall },
};

export type ItemKind = ItemFile["kind"];

/** The attempt, or an `AleError` coded `unknown-trial` that tells what there is. */
export function findAttempt(run: LoadedRun, trial: string, attempt: number): AttemptRecord {
  const found = run.attempts.find((one) => one.trial === trial && one.attempt === attempt);
  if (found !== undefined) return found;
  const numbers = run.attempts.filter((one) => one.trial === trial).map((one) => one.attempt);
  throw new AleError({
    code: "unknown-trial",
    message: `${run.id} has no attempt ${attempt} of ${trial}`,
    remedy: numbers.length === 0 ? "it was not run yet" : `there is ${numbers.join(", ")}`,
  });
}

/** The task of an instance, when its package is at hand. */
export function taskOf(tasks: readonly ServedTask[], instance: string): ServedTask | undefined {
  return tasks.find((task) => task.instances.some((candidate) => candidate.id === instance));
}

/**
 * Why the content of an instance's trials is kept from those who are no maintainers: `undefined` when it is not. A task
 * whose package is not at hand may be of the private pool, so it counts as private.
 */
export function contentWithheld(
  instance: string,
  tasks: readonly ServedTask[],
  maintainer: boolean,
): Withheld | undefined {
  if (maintainer) return undefined;
  const task = taskOf(tasks, instance);
  if (task !== undefined && isShown(task, maintainer)) return undefined;
  const reason =
    task === undefined
      ? `the package of ${instance} was not found, so that its pool is not known`
      : `${task.manifest.id} is in the private pool`;
  return { what: "content", reason };
}

/** One attempt for its page. */
export async function trialView(
  run: LoadedRun,
  attempt: AttemptRecord,
  tasks: readonly ServedTask[],
  maintainer: boolean,
): Promise<TrialView> {
  const counted = run.trials.find((trial) => trial.trial === attempt.trial);
  if (counted === undefined)
    throw new AleError({ code: "unknown-trial", message: `no trial ${attempt.trial}` });
  const { result } = attempt;
  const grade = result === undefined ? undefined : countedGrade({ ...attempt, result });
  const task = taskOf(tasks, counted.instance);
  const hidden = contentWithheld(counted.instance, tasks, maintainer);
  const instruction = hidden === undefined ? await readInstruction(task, counted.instance) : undefined;
  const { verdict, ...rest } = grade ?? {};
  const hasEvidence = verdict?.checks.some((check) => check.evidence !== undefined) === true;
  return {
    run: run.id,
    row: trialRow(counted, run),
    attempt: attempt.attempt,
    attempts: run.attempts.filter((one) => one.trial === attempt.trial).map((one) => one.attempt),
    ...(result === undefined ? {} : { result: hidden === undefined ? result : withoutContent(result) }),
    ...(grade === undefined ? {} : { grade: rest as NonNullable<TrialView["grade"]> }),
    ...(verdict === undefined ? {} : { verdict: maintainer ? verdict : withoutEvidence(verdict, hidden) }),
    regrades: attempt.regrades.length,
    ...(task === undefined || hidden !== undefined ? {} : { title: task.manifest.title }),
    ...(instruction === undefined ? {} : { instruction }),
    taskChanged: task !== undefined && result !== undefined && task.contentHash !== result.taskHash,
    artifacts: result?.artifacts ?? [],
    files: hidden === undefined ? await listFiles(attempt.dir, maintainer) : [],
    items: hidden === undefined ? await presentItems(attempt.dir) : [],
    problems: attempt.problems.map((problem) => problem.message),
    withheld: [
      ...(hidden === undefined ? [] : [hidden]),
      ...(hasEvidence && !maintainer
        ? [{ what: "evidence", reason: "evidence of checks may quote the reference" } as const]
        : []),
    ],
  };
}

async function readInstruction(task: ServedTask | undefined, instance: string): Promise<string | undefined> {
  // A sealed or damaged package has no instruction to show; the page says that there is none.
  return task?.instruction(instance).catch(() => undefined);
}

/** The final message, the programs and the screen may tell what a private task is about. */
function withoutContent({ lastScreen: _, channels, ...result }: TrialResult): TrialResult {
  return {
    ...result,
    claim: { known: false, reason: "the task is not shown" },
    ...(channels === undefined ? {} : { channels: { ...channels, programs: [] } }),
  };
}

function withoutEvidence(verdict: Verdict, hidden: Withheld | undefined): Verdict {
  const checks = verdict.checks.map(({ evidence: _, ...check }) =>
    hidden === undefined ? check : { ...check, message: "" },
  );
  return { ...verdict, checks };
}

async function presentItems(attemptDir: string): Promise<readonly ItemFile[]> {
  const kinds = Object.keys(itemFiles) as ItemKind[];
  const found = await Promise.all(
    kinds.map((kind) => orAbsent(stat(join(attemptDir, itemFiles[kind].name)))),
  );
  return kinds.flatMap((kind, index) => {
    const bytes = found[index]?.size;
    return bytes === undefined ? [] : [{ kind, bytes }];
  });
}
