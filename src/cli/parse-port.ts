import { AleError } from "../contract/ale-error.ts";

/** A port as typed; 0 for any free one. Throws `usage`. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new AleError({
    code: "usage",
    message: `--port takes a number from 0 to 65535, not ${JSON.stringify(text)}`,
    remedy: "for example: --port 4173, or 0 for any free one",
  });
}
