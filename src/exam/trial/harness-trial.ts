import type { HarnessTrial } from "../../harness/harness.ts";
import { hasPart } from "../bench/has-part.ts";
import { openTask } from "../bench/open-task.ts";
import { requireProgram } from "../bench/run-program.ts";
import { oracleMounts } from "../bench/solve-instance.ts";
import type { TrialContext } from "./trial-context.ts";

/** The one harness that is shown the task's own solution. */
const oracleHarness = "oracle";

/** What the contestant may know of its trial. */
export async function harnessTrial(context: TrialContext): Promise<HarnessTrial> {
  const { contestant, task, instance, limits } = context;
  return {
    contestant,
    instance: instance.id,
    instruction: await task.instruction(instance),
    limits,
    outputs: task.manifest.outputs.map(({ path, kind, required }) => ({ path, kind, required })),
    ...(seesPackage(context) ? await oracle(context) : {}),
  };
}

/** Whether the contestant's machine has the package on it for good. */
export function seesPackage({ harness, task, instance }: TrialContext): boolean {
  return harness.name === oracleHarness && hasPart(task, "solve", instance);
}

/** The task's solution and what it needs; nothing when it has none. A sealed one is opened until the teardown. */
async function oracle(context: TrialContext): Promise<Pick<HarnessTrial, "oracle">> {
  const { task, instance, bench, teardown } = context;
  const { value: open } = await teardown.acquire("opened task", () => openTask(bench, task));
  const { argv, env } = requireProgram(open.task, "solve", instance);
  return { oracle: { argv, env, mounts: await oracleMounts(bench, open) } };
}
