import { createHash } from "node:crypto";
import { join } from "node:path";

/** The socket on which an attempt's screen is shown, in its conductor's folder. Short, as the system wants it. */
export function screenSocket(folder: string, trial: string, attempt: number): string {
  const name = createHash("sha256").update(`${trial}/${attempt}`).digest("hex").slice(0, 12);
  return join(folder, name);
}
