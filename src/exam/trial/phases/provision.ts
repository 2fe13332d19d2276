import type { JsonValue } from "../../../contract/json-value.ts";
import { sandboxLayout } from "../../../contract/sandbox-layout.ts";
import { wantsDesktop } from "../../../contract/wants-desktop.ts";
import type { HarnessTrial } from "../../../harness/harness.ts";
import type { Sandbox } from "../../../sandbox/sandbox.ts";
import { agentMachine } from "../../bench/agent-machine.ts";
import { leaseSeconds } from "../../bench/open-sandbox.ts";
import type { TrialLine } from "../../line/trial-line.ts";
import { harnessTrial } from "../harness-trial.ts";
import type { PhaseStep } from "../phase-runner.ts";
import { labelsOf, type TrialContext } from "../trial-context.ts";

/** The machine, and what the harness is told. */
export interface Provisioned {
  readonly sandbox: Sandbox;
  readonly harnessTrial: HarnessTrial;
  readonly line: TrialLine;
  readonly fingerprint: JsonValue;
}

/** Makes the contestant's machine. Its teardown, and that of its lease, are registered before it exists. */
export async function provision(context: TrialContext, signal: AbortSignal): Promise<PhaseStep<Provisioned>> {
  const { bench, task, instance, harness, teardown, writer } = context;
  const told = await harnessTrial(context);
  const needs = await harness.needs(told);
  const { value: line } = await teardown.acquire("line", () =>
    context.lines({
      trial: context.trial,
      contestant: context.contestant,
      harness,
      limits: context.limits,
      network: task.manifest.network,
      record: writer.dir,
      note: (event) => writer.append(event),
    }),
  );
  const labels = labelsOf(context, "agent");
  // What drives the screen from inside is a program of ours.
  const driver = wantsDesktop(task.manifest)
    ? [{ source: bench.runtime.nodeBinary, target: sandboxLayout.node, screenDriver: true as const }]
    : [];
  const mounts = [...needs.mounts, ...line.mounts, ...driver];
  const spec = await agentMachine({ bench, task, instance, labels, env: needs.env, mounts });
  const { value: sandbox } = await teardown.acquire("agent sandbox", () =>
    bench.provider.create(spec, signal),
  );
  keepLease(context, sandbox);
  const fingerprint = await sandbox.fingerprint();
  return { kind: "ok", value: { sandbox, harnessTrial: told, line, fingerprint } };
}

/** After a lease could not be pushed on: a line may be cut, or a disk full, for a while. */
const againAfterMs = 20_000;

/** Pushes the lease on for as long as the trial lasts. */
function keepLease(context: TrialContext, sandbox: Sandbox): void {
  const { clock, teardown, writer } = context;
  const stop = new AbortController();
  const note = (error: unknown): void => {
    if (stop.signal.aborted) return;
    writer.append({ type: "note", code: "lease-not-renewed", message: String(error) });
  };
  (async () => {
    for (let renewed = true; !stop.signal.aborted; ) {
      await clock.sleep(renewed ? (leaseSeconds / 3) * 1000 : againAfterMs, stop.signal);
      try {
        await sandbox.renewLease(leaseSeconds);
        renewed = true;
      } catch (error) {
        if (renewed) note(error);
        renewed = false;
      }
    }
  })().catch(note);
  teardown.add("lease", async () => stop.abort());
}
