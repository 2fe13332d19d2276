import { type CommandEnd, describeEnd } from "../sandbox/command.ts";

/**
 * How a display is doing. `by` says who ended it, as well as can be known: `owner`, we did; `agent`, a process of the
 * agent's; `itself`, it failed. The agent's doing is `agent_error`, the display's own is `env_error`.
 */
export type DisplayState =
  | { readonly state: "running" }
  | { readonly state: "ended"; readonly by: "owner" | "agent" | "itself"; readonly message: string };

/** Signals that nothing on the machine but a process of the agent's sends to the display. */
const sentSignals: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]);

/**
 * Judges how an X server ended. A server that is asked to end does so with exit 0; one that a fatal signal reached says
 * whether a process sent it. A kill for want of memory counts as the agent's: its programs filled the machine.
 */
export function judgeDisplayEnd(end: CommandEnd, complaint: string): DisplayState {
  const asked = (end.kind === "exited" && end.code === 0) || end.kind === "aborted";
  const signalled = end.kind === "signalled" && sentSignals.has(end.signal);
  const sent = /signal \d+ sent by process \d+/i.test(complaint);
  const message = [`the display server ended: ${describeEnd(end)}`, lastLine(complaint)]
    .filter((part) => part !== "")
    .join("; ");
  return { state: "ended", by: asked || signalled || sent ? "agent" : "itself", message };
}

function lastLine(text: string): string {
  return (text.trim().split("\n").at(-1) ?? "").trim();
}
