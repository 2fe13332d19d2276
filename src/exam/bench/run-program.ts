import { AleError } from "../../contract/ale-error.ts";
import { type CommandOptions, type CommandResult, describeEnd, succeeded } from "../../sandbox/command.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { TaskInstance, TaskPackage, TaskProgram, TaskVerb } from "../../task/task-package.ts";

/** How a task's program ended. */
export type ProgramEnd =
  | { readonly kind: "done"; readonly result: CommandResult }
  | { readonly kind: "failed"; readonly result: CommandResult; readonly message: string };

/** Hears of every command that is run on a machine for a task. */
export type CommandListener = (argv: readonly string[], result: CommandResult) => void;

export interface ProgramOptions extends Omit<CommandOptions, "env"> {
  readonly onCommand?: CommandListener;
}

/** Characters of standard error quoted in a message. */
const quoted = 2000;

/** Runs one part of a task inside a sandbox that is ready for it. */
export async function runProgram(
  sandbox: Sandbox,
  program: TaskProgram,
  options: ProgramOptions,
): Promise<ProgramEnd> {
  const { onCommand, ...command } = options;
  const result = await sandbox.exec(program.argv, { ...command, env: program.env });
  onCommand?.(program.argv, result);
  if (succeeded(result)) return { kind: "done", result };
  const tail = Buffer.from(result.stderr).toString("utf8").trim().slice(-quoted);
  const message = tail === "" ? describeEnd(result.end) : `${describeEnd(result.end)}: ${tail}`;
  return { kind: "failed", result, message };
}

/** The program for a part that this task must have. Throws an `AleError` coded `task-without-program`. */
export function requireProgram(task: TaskPackage, verb: TaskVerb, instance: TaskInstance): TaskProgram {
  const program = task.program(verb, instance);
  if (program !== undefined) return program;
  throw new AleError({
    code: "task-without-program",
    message: `${instance.id} has no program for ${verb}`,
    remedy: `Add ${verb} to the task's definition in ${task.dir}.`,
    fields: { instance: instance.id, verb },
  });
}
