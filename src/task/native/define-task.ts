import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { TaskDefinition, TaskParams } from "../task-definition.ts";

export type { ProbeKind } from "../probe-kind.ts";
export type {
  CollectContext,
  GenerateContext,
  GradeContext,
  Probe,
  ProbeContext,
  SetupContext,
  SolveContext,
  TaskDefinition,
  TaskParams,
} from "../task-definition.ts";

/**
 * Declares a task's program. Returns the definition unchanged, so that a test can import and call its parts.
 * When the module that exports it by default is the program's entry (`node main.ts …`), its command line
 * runs as soon as the module has been evaluated; imported from anywhere else, nothing happens.
 */
export function defineTask<P extends TaskParams = TaskParams>(
  definition: TaskDefinition<P>,
): TaskDefinition<P> {
  const entry = entryCallingUs();
  if (entry !== undefined) void runWhenDefaultExport(entry, definition as unknown as TaskDefinition);
  return definition;
}

/** The entry module's URL when it is what called `defineTask`: importing any other entry could run it twice. */
function entryCallingUs(): string | undefined {
  const script = process.argv[1];
  if (script === undefined) return undefined;
  try {
    const url = pathToFileURL(realpathSync(script)).href;
    return new Error("where").stack?.includes(`${url}:`) ? url : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function runWhenDefaultExport(entry: string, definition: TaskDefinition): Promise<void> {
  const module = (await import(entry)) as { readonly default?: unknown };
  if (module.default !== definition) return;
  const { runTaskProgram } = await import("./run-task-program.ts");
  await runTaskProgram(definition, entry);
}
