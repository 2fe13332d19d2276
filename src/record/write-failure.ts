import { AleError } from "../contract/ale-error.ts";

/** The error of a record that could not be written: a full disk, a lost mount, a missing permission. */
export function writeFailure(path: string, cause: unknown): AleError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AleError({
    code: "record-write",
    message: `${path} could not be written: ${why}`,
    remedy: "Make room on the disk or mend it, then resume the run: finished trials are safe.",
    fields: { path },
    cause,
  });
}
