import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { AleError } from "../../contract/ale-error.ts";
import type { TaskDefinition } from "../task-definition.ts";
import { isMachineCall, parseMachineArguments } from "./machine-arguments.ts";
import { runPart } from "./run-part.ts";

/** Exit status when the task's own code failed (`EX_SOFTWARE` of sysexits.h). */
const taskFailed = 70;
const usageMistake = 2;

/**
 * The program behind `node main.ts`: a part of the task for the machine, or a command for a person.
 * Ends the process: 0 done, 1 a check failed, 2 wrong arguments, 70 the task's own code failed.
 */
export async function runTaskProgram(definition: TaskDefinition, entry: string): Promise<void> {
  const argv = process.argv.slice(2);
  let ended = false;
  process.once("exit", () => {
    if (ended) return;
    process.exitCode = taskFailed;
    process.stderr.write(
      "the task's code ended the process, or waits on a promise that nothing can settle any more\n",
    );
  });
  const end = (code: number): void => {
    ended = true;
    process.exit(code);
  };
  process.once("uncaughtException", (error) => {
    process.stderr.write(describe(error));
    end(taskFailed);
  });

  try {
    if (isMachineCall(argv)) {
      await runPart(definition, parseMachineArguments(argv));
      end(0);
    } else {
      const { runTaskCommand } = await import("./run-task-command.ts");
      const code = await runTaskCommand(definition, dirname(fileURLToPath(entry)), argv, (text) =>
        process.stdout.write(text),
      );
      end(code);
    }
  } catch (error) {
    process.stderr.write(describe(error));
    end(AleError.isInstance(error) && error.code === "usage" ? usageMistake : taskFailed);
  }
}

/** Mistakes of the operator without a stack; a failure of the task's own code with it. */
function describe(error: unknown): string {
  if (AleError.isInstance(error)) {
    return `${error.message}\n${error.remedy === undefined ? "" : `${error.remedy}\n`}`;
  }
  return `${error instanceof Error ? (error.stack ?? error.message) : `thrown: ${String(error)}`}\n`;
}
