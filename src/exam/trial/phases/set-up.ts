import type { Sandbox } from "../../../sandbox/sandbox.ts";
import { placeInput, runTrustedPart } from "../../bench/set-up-machine.ts";
import { startServices } from "../../bench/start-services.ts";
import { seesPackage } from "../harness-trial.ts";
import { noteCommand } from "../note-command.ts";
import type { PhaseStep } from "../phase-runner.ts";
import type { TrialContext } from "../trial-context.ts";

/** Stages the input, runs the task's setup with the network open, starts its services; then draws the baseline. */
export async function setUp(
  context: TrialContext,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<PhaseStep<"ready">> {
  const { bench, task, instance } = context;
  const setup = { bench, task, instance, sandbox, packageMounted: seesPackage(context) };
  await placeInput(setup);
  const onCommand = noteCommand(context, "setup");
  const end = await runTrustedPart(setup, "setup", { network: "host", signal, onCommand });
  signal.throwIfAborted();
  if (end?.kind === "failed") {
    return { kind: "failed", status: "task_error", reason: `the task's setup failed: ${end.message}` };
  }
  const failed = await startServices(context, sandbox, signal);
  if (failed !== undefined) return { kind: "failed", status: "task_error", reason: failed };
  await sandbox.markBaseline();
  return { kind: "ok", value: "ready" };
}
