import { isFolder } from "../is-folder.ts";
import type { TaskInstance, TaskPackage } from "../task-package.ts";
import { stagedFolder } from "./sealed-index.ts";

/** The input that was staged before sealing, for an agent's machine; `undefined` when there is none. */
export async function stagedInput(task: TaskPackage, instance: TaskInstance): Promise<string | undefined> {
  if (!task.sealed) return undefined;
  const folder = stagedFolder(task.dir, instance.variant);
  return (await isFolder(folder)) ? folder : undefined;
}
