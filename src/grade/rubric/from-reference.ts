import { AleError } from "../../contract/ale-error.ts";
import type { Read } from "./read.ts";

/**
 * The value of a file of the reference. What would be the agent's failing in an artifact is the task's fault
 * here: throws an `AleError` coded `broken-reference`, so that the trial is a `verifier_error` and not a zero.
 */
export function fromReference<T>(read: Read<T>): T {
  if (read.kind === "ok") return read.value;
  throw new AleError({
    code: "broken-reference",
    message: `The reference is broken: ${read.outcome.message}`,
    remedy: "Repair the task package, then regrade.",
  });
}
