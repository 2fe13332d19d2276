import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { TaskInstance, TaskPackage, TaskVerb } from "../../task/task-package.ts";
import { agentInput } from "./agent-input.ts";
import { hasPart } from "./has-part.ts";
import { openTask } from "./open-task.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { type ProgramEnd, type ProgramOptions, requireProgram, runProgram } from "./run-program.ts";
import type { TaskBench } from "./task-bench.ts";

export interface MachineSetup {
  readonly bench: TaskBench;
  readonly task: TaskPackage;
  readonly instance: TaskInstance;
  readonly sandbox: Sandbox;
  /** The package is on the machine anyway, read-only: the oracle's. Default false. */
  readonly packageMounted?: boolean;
}

/** Puts the input, which the agent cannot change, and an empty output folder on the machine. */
export async function placeInput(setup: MachineSetup): Promise<void> {
  const { bench, task, instance, sandbox } = setup;
  await using input = await agentInput(bench, task, instance);
  await sandbox.upload(input.dir, sandboxLayout.input, { owner: "root", readOnly: true });
  await using empty = await makePrivateFolder(bench.tempDir, "output");
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
  const { bench, task, instance, sandbox, packageMounted = false } = setup;
  if (!hasPart(task, verb, instance)) return undefined;
  await using open = await openTask(bench, task);
  const program = requireProgram(open.task, verb, instance);
  if (packageMounted) return runProgram(sandbox, program, { ...options, user: "root" });
  await sandbox.upload(await open.withoutReference(), sandboxLayout.task, { owner: "root" });
  try {
    return await runProgram(sandbox, program, { ...options, user: "root" });
  } finally {
    await sandbox.remove(sandboxLayout.task);
  }
}
