import { AleError } from "./ale-error.ts";
import type { Finding } from "./finding.ts";

/** What an error says, as a finding that stops. Throws what is no {@link AleError} as it is. */
export function findingOf(error: unknown): Finding {
  if (!AleError.isInstance(error)) throw error;
  const { code, message, remedy } = error;
  return { severity: "error", code, message, ...(remedy === undefined ? {} : { remedy }) };
}
