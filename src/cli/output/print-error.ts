import { AleError } from "../../contract/ale-error.ts";
import type { TextSink } from "../cli-context.ts";

const elsewhere =
  "name another folder: --runs-dir for runs, ALE_CACHE_DIR, ALE_STATE_DIR and ALE_CONFIG_DIR for what ale keeps itself";

/** What the system refuses for reasons that lie with the machine, not with us. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: `give this user the permission, or ${elsewhere}`,
  EPERM: `give this user the permission, or ${elsewhere}`,
  EROFS: `mount it writable, or ${elsewhere}`,
  ENOSPC: "make room on the disk; a run is then resumed with npx ale run --resume",
  EDQUOT: "make room in the quota; a run is then resumed with npx ale run --resume",
  EMFILE: "raise the limit of open files (ulimit -n), or lower --concurrency",
  ENFILE: "raise the system's limit of open files, or lower --concurrency",
};

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
  const remedy = error instanceof Error && "code" in error ? remedies[String(error.code)] : undefined;
  if (error instanceof Error && remedy !== undefined) {
    sink.write(`ale: ${error.message}\n     ${remedy}\n`);
    return;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  sink.write(`ale: this is a bug in ale, please report it\n${text}\n`);
}
