import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { packageRoot } from "./package-info.ts";

/** Where tasks are looked for unless told otherwise: `tasks/` here, else the tasks of this package. */
export async function findDefaultTasks(cwd: string): Promise<string> {
  const here = resolve(cwd, "tasks");
  return await access(here).then(
    () => here,
    () => join(packageRoot, "tasks"),
  );
}
