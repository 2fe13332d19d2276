import { unknown } from "../../contract/absence.ts";
import type { Harness } from "../harness.ts";
import { unknownSettings } from "../unknown-settings.ts";
import { unpaid } from "./claims.ts";
import { runInSandbox } from "./run-in-sandbox.ts";

/** Runs the task's own solution as the agent: what the work is worth when it is done. */
export function createOracle(version: string): Harness {
  return {
    name: "oracle",
    summary: "runs the task's own solution, on the agent's machine and without the reference",
    version: async () => version,
    preflight: async (contestant) => unknownSettings(contestant, []),
    needs: async (trial) => ({ mounts: trial.oracle?.mounts ?? [], env: {} }),
    async launch(session) {
      const { oracle, instance } = session.trial;
      if (oracle !== undefined) return runInSandbox(session, { ...oracle, input: "" });
      const reason = `${instance} has no solution of its own`;
      return { kind: "agent-error", reason, ...unpaid, claim: unknown("it says nothing") };
    },
  };
}
