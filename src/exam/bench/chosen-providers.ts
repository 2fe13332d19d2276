import type { ExamPlan } from "../../contract/exam-plan.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import { agentMachine } from "./agent-machine.ts";
import type { TaskBench } from "./task-bench.ts";

/** Which provider gives each planned task its machine, by the task's id: a score made on another is not the same score. */
export async function chosenProviders(
  bench: TaskBench,
  plan: ExamPlan,
  packages: readonly TaskPackage[],
): Promise<Readonly<Record<string, string>>> {
  const { provider } = bench;
  const wanted = new Set(plan.trials.map((trial) => trial.instance));
  const chosen: Record<string, string> = {};
  for (const task of packages) {
    const instance = task.instances.find(({ id }) => wanted.has(id));
    if (instance === undefined) continue;
    const labels = { run: bench.run, trial: "choice", attempt: 1, role: "agent" } as const;
    const machine = await agentMachine({ bench, task, instance, labels, mounts: [], env: {} });
    chosen[task.manifest.id] = (await provider.chosenFor?.(machine)) ?? provider.name;
  }
  return chosen;
}
