import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { StagedInstance } from "../../task/qc/workbench.ts";
import type { TaskInstance, TaskPackage, TaskVerb } from "../../task/task-package.ts";
import { makePrivateFolder } from "./host-folders.ts";
import { type ProgramEnd, type ProgramOptions, runProgram } from "./run-program.ts";
import type { TaskBench } from "./task-bench.ts";
import { taskWithoutReference } from "./task-without-reference.ts";

export interface MachineSetup {
  readonly bench: TaskBench;
  readonly task: TaskPackage;
  readonly instance: TaskInstance;
  readonly sandbox: Sandbox;
}

/** Puts the input, which the agent cannot change, and an empty output folder on the machine. */
export async function placeInput(setup: MachineSetup, staged: StagedInstance): Promise<void> {
  const { bench, sandbox } = setup;
  await sandbox.upload(staged.input, sandboxLayout.input, { owner: "root", readOnly: true });
  await using empty = await makePrivateFolder(bench.tempDir, "ale-output-");
  await sandbox.upload(empty.dir, sandboxLayout.output);
}

/**
 * Runs a trusted part of the task (`setup`, `collect`) on the agent's machine as root. The package, without its
 * reference, is there only for as long as the part runs. `undefined` when the task has no such part.
 */
export async function runTrustedPart(
  setup: MachineSetup,
  verb: Extract<TaskVerb, "setup" | "collect">,
  options: ProgramOptions,
): Promise<ProgramEnd | undefined> {
  const { bench, task, instance, sandbox } = setup;
  const program = task.program(verb, instance);
  if (program === undefined) return undefined;
  const visible = await taskWithoutReference(bench, task);
  await sandbox.upload(visible, sandboxLayout.task, { owner: "root", readOnly: true });
  try {
    return await runProgram(sandbox, program, { ...options, user: "root" });
  } finally {
    await sandbox.remove(sandboxLayout.task);
  }
}
