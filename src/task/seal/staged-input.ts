import { stat } from "node:fs/promises";
import type { TaskInstance, TaskPackage } from "../task-package.ts";
import { stagedFolder } from "./sealed-index.ts";

/** The input that was staged before sealing, for an agent's machine; `undefined` when there is none. */
export async function stagedInput(task: TaskPackage, instance: TaskInstance): Promise<string | undefined> {
  if (!task.sealed) return undefined;
  const folder = stagedFolder(task.dir, instance.variant);
  const found = await stat(folder).catch(() => undefined);
  return found?.isDirectory() === true ? folder : undefined;
}
