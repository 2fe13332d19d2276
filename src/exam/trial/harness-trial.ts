import type { HarnessTrial } from "../../harness/harness.ts";
import { oracleMounts } from "../bench/solve-instance.ts";
import type { TrialContext } from "./trial-context.ts";

/** The one harness that is shown the task's own solution. */
const oracleHarness = "oracle";

/** What the contestant may know of its trial. */
export async function harnessTrial(context: TrialContext): Promise<HarnessTrial> {
  const { contestant, task, instance, limits, bench, harness } = context;
  const solve = harness.name === oracleHarness ? task.program("solve", instance) : undefined;
  return {
    contestant,
    instance: instance.id,
    instruction: await task.instruction(instance),
    limits,
    outputs: task.manifest.outputs.map(({ path, kind, required }) => ({ path, kind, required })),
    ...(solve === undefined
      ? {}
      : { oracle: { argv: solve.argv, env: solve.env, mounts: await oracleMounts(bench, task) } }),
  };
}
