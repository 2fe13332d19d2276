import { AleError } from "../../contract/ale-error.ts";

/** An error in one line: its causes behind it, each told once, and what to do about it. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  let text = error.message;
  let remedy: string | undefined;
  for (let here: unknown = error; here !== undefined; here = here instanceof Error ? here.cause : undefined) {
    const message = here instanceof Error ? here.message : String(here);
    // Who wraps an error often repeats what it says.
    if (!text.includes(message)) text += `: ${message}`;
    if (AleError.isInstance(here)) remedy ??= here.remedy;
  }
  return remedy === undefined || text.includes(remedy) ? text : `${text} — ${remedy}`;
}
