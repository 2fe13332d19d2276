import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Verdict } from "../../../contract/verdict.ts";
import { gradeArtifacts } from "../../bench/grade-artifacts.ts";
import { noteCommand } from "../note-command.ts";
import type { PhaseStep } from "../phase-runner.ts";
import { labelsOf, type TrialContext } from "../trial-context.ts";

/** Grades the frozen artifacts away from the agent's machine. Only a whole, valid verdict is one. */
export async function verify(
  context: TrialContext,
  artifacts: string,
  signal: AbortSignal,
): Promise<PhaseStep<Verdict>> {
  const { bench, task, instance, teardown, writer } = context;
  const labels = labelsOf(context, "verifier");
  const onCommand = noteCommand(context, "verify");
  const grading = await gradeArtifacts({
    bench,
    task,
    instance,
    artifacts,
    labels,
    teardown,
    signal,
    onCommand,
  });
  const logs = await writer.folder("logs");
  for (const name of ["stdout", "stderr"] as const) {
    const text = grading.output?.[name];
    if (text !== undefined && text.byteLength > 0) await writeFile(join(logs, `grader.${name}.log`), text);
  }
  if (grading.outcome.kind === "verifier-error") {
    return { kind: "failed", status: "verifier_error", reason: grading.outcome.message };
  }
  await writer.writeVerdict(grading.outcome.verdict);
  return { kind: "ok", value: grading.outcome.verdict };
}
