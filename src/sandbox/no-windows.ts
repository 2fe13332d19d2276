import type { Finding } from "../contract/finding.ts";

/** What a provider whose machines are all of Linux says to who asks for Windows; `machines` is what it calls them. */
export function noWindows(machines: string): Finding {
  return {
    severity: "error",
    code: "os",
    message: `A task asks for Windows, and ${machines} never run it.`,
    remedy: "Use the provider vm.",
  };
}
