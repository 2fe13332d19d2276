import type { Artifact } from "../../../contract/artifact.ts";
import type { Sandbox } from "../../../sandbox/sandbox.ts";
import { collectOutputs } from "../../bench/collect-outputs.ts";
import { runTrustedPart } from "../../bench/set-up-machine.ts";
import { seesPackage } from "../harness-trial.ts";
import { noteCommand } from "../note-command.ts";
import type { PhaseStep } from "../phase-runner.ts";
import type { TrialContext } from "../trial-context.ts";

/** What was taken, and where it lies. */
export interface Collected {
  readonly dir: string;
  readonly artifacts: readonly Artifact[];
}

/** Runs the task's trusted collect step, then takes the declared outputs; every file is in the record. */
export async function collect(
  context: TrialContext,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<PhaseStep<Collected>> {
  const { bench, task, instance, writer } = context;
  const onCommand = noteCommand(context, "collect");
  const setup = { bench, task, instance, sandbox, packageMounted: seesPackage(context) };
  const end = await runTrustedPart(setup, "collect", { signal, onCommand });
  signal.throwIfAborted();
  if (end?.kind === "failed") {
    return { kind: "failed", status: "task_error", reason: `the task's collect step failed: ${end.message}` };
  }
  const dir = await writer.folder("artifacts");
  const artifacts = await collectOutputs(sandbox, task.manifest.outputs, dir);
  for (const artifact of artifacts) writer.append({ type: "artifact", artifact });
  return { kind: "ok", value: { dir, artifacts } };
}
