import type { JsonValue } from "../../../contract/json-value.ts";
import type { HarnessTrial } from "../../../harness/harness.ts";
import type { Sandbox } from "../../../sandbox/sandbox.ts";
import { agentMachine } from "../../bench/agent-machine.ts";
import { leaseSeconds } from "../../bench/open-sandbox.ts";
import { harnessTrial } from "../harness-trial.ts";
import type { PhaseStep } from "../phase-runner.ts";
import { labelsOf, type TrialContext } from "../trial-context.ts";

/** The machine, and what the harness is told. */
export interface Provisioned {
  readonly sandbox: Sandbox;
  readonly harnessTrial: HarnessTrial;
  readonly fingerprint: JsonValue;
}

/** Makes the contestant's machine. Its teardown, and that of its lease, are registered before it exists. */
export async function provision(context: TrialContext, signal: AbortSignal): Promise<PhaseStep<Provisioned>> {
  const { bench, task, instance, harness, teardown } = context;
  const told = await harnessTrial(context);
  const needs = await harness.needs(told);
  const spec = await agentMachine({ bench, task, instance, labels: labelsOf(context, "agent"), ...needs });
  const { value: sandbox } = await teardown.acquire("agent sandbox", () =>
    bench.provider.create(spec, signal),
  );
  keepLease(context, sandbox);
  return { kind: "ok", value: { sandbox, harnessTrial: told, fingerprint: await sandbox.fingerprint() } };
}

/** Pushes the lease on for as long as the trial lasts. */
function keepLease(context: TrialContext, sandbox: Sandbox): void {
  const { clock, teardown, writer } = context;
  const stop = new AbortController();
  (async () => {
    while (!stop.signal.aborted) {
      await clock.sleep((leaseSeconds / 3) * 1000, stop.signal);
      await sandbox.renewLease(leaseSeconds);
    }
  })().catch((error: unknown) => {
    if (stop.signal.aborted) return;
    writer.append({ type: "note", code: "lease-lost", message: String(error) });
  });
  teardown.add("lease", async () => stop.abort());
}
