import { formatFinding } from "../format-finding.ts";
import type { TaskInstance, TaskPackage } from "../task-package.ts";

/** `node main.ts check`: prints what is wrong with the package; 0 when nothing is. */
export async function checkOwnTask(
  task: TaskPackage,
  instances: readonly TaskInstance[],
  print: (text: string) => void,
): Promise<number> {
  for (const finding of task.findings) print(`${formatFinding(finding)}\n`);
  print(`${instances.length} instances\n`);
  return 0;
}
