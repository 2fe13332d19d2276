import { AleError } from "../../contract/ale-error.ts";
import { systemRemedy } from "../../files/system-remedy.ts";
import type { TextSink } from "../cli-context.ts";

/**
 * Prints an error for people: an operator's mistake and what the machine refuses without a stack, anything else as
 * the bug it is.
 */
export function printError(error: unknown, sink: TextSink): void {
  if (AleError.isInstance(error)) {
    sink.write(`ale: ${error.message}\n`);
    if (error.remedy !== undefined) sink.write(`     ${error.remedy}\n`);
    return;
  }
  const remedy = error instanceof Error && "code" in error ? systemRemedy(String(error.code)) : undefined;
  if (error instanceof Error && remedy !== undefined) {
    sink.write(`ale: ${error.message}\n     ${remedy}\n`);
    return;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  sink.write(`ale: this is a bug in ale, please report it\n${text}\n`);
}
