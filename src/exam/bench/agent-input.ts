import { stagedInput } from "../../task/seal/staged-input.ts";
import type { TaskInstance, TaskPackage } from "../../task/task-package.ts";
import { openTask } from "./open-task.ts";
import type { TaskBench } from "./task-bench.ts";

/** The input an agent is given, for as long as it is held. */
export interface AgentInput extends AsyncDisposable {
  readonly dir: string;
}

/** Of a sealed package the input staged before sealing; only where that is absent is the package opened for it. */
export async function agentInput(
  bench: TaskBench,
  task: TaskPackage,
  instance: TaskInstance,
): Promise<AgentInput> {
  const staged = task.sealed ? await stagedInput(task, instance) : undefined;
  if (staged !== undefined) return { dir: staged, [Symbol.asyncDispose]: async () => undefined };
  const open = await openTask(bench, task);
  try {
    const { input } = await open.stage(instance);
    return { dir: input, [Symbol.asyncDispose]: async () => open[Symbol.asyncDispose]() };
  } catch (error) {
    await open[Symbol.asyncDispose]();
    throw error;
  }
}
