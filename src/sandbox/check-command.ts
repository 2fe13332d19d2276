import { AleError } from "../contract/ale-error.ts";
import type { CommandOptions } from "./command.ts";
import { checkPath } from "./files/sandbox-path.ts";

/** Throws `sandbox-command` for what is no command, `sandbox-path` for a working folder that cannot be one. */
export function checkCommand(argv: readonly string[], options: CommandOptions): void {
  const odd = argv.length === 0 || argv[0] === "" || argv.some((word) => word.includes("\0"));
  if (odd) {
    throw new AleError({
      code: "sandbox-command",
      message: `${JSON.stringify(argv)} is not a command: it needs a program, and no zero byte anywhere.`,
    });
  }
  if (options.cwd !== undefined) checkPath(options.cwd);
}
