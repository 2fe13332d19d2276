import { resolve } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import { type FoundTasks, findTasks } from "../task/find-tasks.ts";
import { nativeFormat } from "../task/native/native-format.ts";
import { type InstancePatterns, type SelectedInstance, selectInstances } from "../task/select-instances.ts";
import type { TaskFormat } from "../task/task-package.ts";
import type { CliContext } from "./cli-context.ts";
import { findDefaultTasks } from "./find-default-tasks.ts";
import { printFindings } from "./output/print-findings.ts";

/** The formats that packages are read in, the native one first. */
export const taskFormats: readonly TaskFormat[] = [nativeFormat];

/**
 * Reads every package below the roots, or below the default folder. Malformed ones are reported on standard error,
 * left out, and make the exit status 1.
 */
export async function readTasks(
  context: CliContext,
  roots: readonly string[] | undefined,
): Promise<FoundTasks> {
  const folders = roots?.map((root) => resolve(context.cwd, root)) ?? [await findDefaultTasks(context.cwd)];
  const found = await findTasks(folders, taskFormats);
  for (const { dir, findings } of found.malformed) {
    context.err.write(`left out, malformed: ${dir}\n`);
    printFindings(findings, context.err, context.cwd);
    context.setExitStatus(1);
  }
  return found;
}

/** The instances that patterns name. Throws `unknown-instance` for a pattern to include that matches nothing. */
export function chooseInstances(found: FoundTasks, patterns: InstancePatterns): readonly SelectedInstance[] {
  const { instances, findings } = selectInstances(found.packages, patterns);
  const error = findings.find((finding) => finding.severity === "error");
  if (error === undefined) return instances;
  throw new AleError({
    code: "unknown-instance",
    message: error.message,
    ...(error.remedy === undefined ? {} : { remedy: error.remedy }),
  });
}
