import { availableParallelism } from "node:os";
import type { Clock } from "../../contract/clock.ts";
import { createRandom } from "../../contract/random.ts";
import { formatFinding } from "../format-finding.ts";
import { checkInstance } from "../qc/check-instance.ts";
import { findingsToTell } from "../qc/findings-to-tell.ts";
import { formatReport } from "../qc/format-report.ts";
import type { TaskInstance, TaskPackage } from "../task-package.ts";
import { ownWorkbench } from "./own-workbench.ts";
import { ScratchFolder } from "./scratch-folder.ts";

/** `node main.ts check`: proves the instances without a sandbox and prints what is wrong; 0 when nothing is. */
export async function checkOwnTask(
  task: TaskPackage,
  instances: readonly TaskInstance[],
  clock: Clock,
  print: (text: string) => void,
): Promise<number> {
  const toTell = findingsToTell(task);
  let ok = true;
  for (const instance of instances) {
    await using work = await ScratchFolder.make();
    await using bench = await ScratchFolder.make();
    const random = createRandom(instance.seed);
    const concurrency = Math.min(4, availableParallelism());
    const options = { clock, random, work: work.path, mutations: 20, concurrency };
    const report = await checkInstance(task, instance, ownWorkbench(bench.path), options);
    print(formatReport(report));
    for (const finding of toTell(report)) print(`${formatFinding(finding)}\n`);
    ok &&= report.ok;
  }
  return ok ? 0 : 1;
}
