import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { CommandResult } from "../../sandbox/command.ts";
import type { SandboxLabels } from "../../sandbox/provider.ts";
import type { GradeOutcome } from "../../task/qc/workbench.ts";
import type { TaskInstance, TaskPackage } from "../../task/task-package.ts";
import type { TeardownStack } from "../teardown-stack.ts";
import { openTrustedSandbox } from "./open-sandbox.ts";
import { openTask } from "./open-task.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { readVerdict } from "./read-verdict.ts";
import { type CommandListener, requireProgram, runProgram } from "./run-program.ts";
import type { TaskBench } from "./task-bench.ts";

export interface GradeRequest {
  readonly bench: TaskBench;
  readonly task: TaskPackage;
  readonly instance: TaskInstance;
  /** Host folder of the frozen artifacts. */
  readonly artifacts: string;
  readonly labels: SandboxLabels;
  readonly teardown: TeardownStack;
  readonly signal?: AbortSignal;
  readonly onCommand?: CommandListener;
}

/** A grading with what its program wrote, for the logs; no output when it never ran. */
export interface Grading {
  readonly outcome: GradeOutcome;
  readonly output: Pick<CommandResult, "stdout" | "stderr"> | undefined;
}

/**
 * Grades frozen artifacts in a sandbox of their own: no network, artifacts, input and reference read-only, the
 * reference unsealed only now. Rejects only when the machine fails or the signal aborts.
 */
export async function gradeArtifacts(request: GradeRequest): Promise<Grading> {
  const { bench, task, instance, signal, onCommand } = request;
  const { value: open, close: closeTask } = await request.teardown.acquire("opened task", () =>
    openTask(bench, task),
  );
  const program = requireProgram(open.task, "grade", instance);
  const staged = await open.stage(instance);
  const own = task.sealed ? ({ own: true } as const) : {};
  const { sandbox, close } = await openTrustedSandbox({
    ...request,
    task: open.task,
    mounts: [
      { source: request.artifacts, target: sandboxLayout.artifacts, own: true },
      { source: staged.input, target: sandboxLayout.verifierInput, ...own },
      { source: staged.reference, target: sandboxLayout.reference, ...own },
    ],
    unsealed: task.sealed,
    memoryMb: task.manifest.grader.memory_mb,
  });
  await using empty = await makePrivateFolder(bench.tempDir, "result");
  await sandbox.upload(empty.dir, sandboxLayout.result);
  const end = await runProgram(sandbox, program, {
    timeoutMs: task.manifest.grader.wall_seconds * 1000,
    ...(signal === undefined ? {} : { signal }),
    ...(onCommand === undefined ? {} : { onCommand }),
  });
  signal?.throwIfAborted();
  const outcome: GradeOutcome =
    end.kind === "failed"
      ? { kind: "verifier-error", message: `the grader failed: ${end.message}` }
      : await readVerdict(sandbox, program.result);
  await close();
  await closeTask();
  return { outcome, output: end.result };
}
