import { AleError } from "../contract/ale-error.ts";

/** `The desktop could not be started: …`, coded `desktop-start`. */
export function notStarted(message: string, remedy?: string, cause?: unknown): AleError {
  return new AleError({
    code: "desktop-start",
    message: `The desktop could not be started: ${message}.`,
    ...(remedy === undefined ? {} : { remedy }),
    ...(cause === undefined ? {} : { cause }),
  });
}
