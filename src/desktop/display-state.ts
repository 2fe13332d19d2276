import { lastWords } from "../contract/last-words.ts";
import { type CommandEnd, describeEnd } from "../sandbox/command.ts";

/** A display that is of no use any more: it has ended, or is there and answers nothing. */
export interface LostDisplay {
  readonly state: "ended" | "stuck";
  /** Whose doing it is, as well as can be known: `owner`, ours; `agent`, a process of the agent's; `itself`, it failed. */
  readonly by: "owner" | "agent" | "itself";
  readonly message: string;
}

/** How a display is doing. That the agent ended it is `agent_error`, that it failed by itself is `env_error`. */
export type DisplayState = { readonly state: "running" } | LostDisplay;

/** Signals that nothing on the machine but a process of the agent's sends to the display. */
const sentSignals: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]);

/**
 * Judges how an X server ended. A server that is asked to end does so with exit 0; one that a fatal signal reached says
 * whether a process sent it. A kill for want of memory counts as the agent's: its programs filled the machine.
 */
export function judgeDisplayEnd(end: CommandEnd, complaint: string): LostDisplay {
  const asked = (end.kind === "exited" && end.code === 0) || end.kind === "aborted";
  const signalled = end.kind === "signalled" && sentSignals.has(end.signal);
  const sent = /signal \d+ sent by process \d+/i.test(complaint);
  const message = [`the display server ended: ${describeEnd(end)}`, lastWords(complaint)]
    .filter((part) => part !== "")
    .join("; ");
  return { state: "ended", by: asked || signalled || sent ? "agent" : "itself", message };
}

/**
 * Judges a display server that answers nothing, by how the kernel has it. Only a process stops or traces another; and one
 * that is asleep all the while waits for a program that has grabbed the display for itself.
 */
export function judgeStuckDisplay(serverState: string): LostDisplay {
  if (/^t$/i.test(serverState)) {
    return { state: "stuck", by: "agent", message: "a process on the machine stopped the display server" };
  }
  if (serverState === "S") {
    return { state: "stuck", by: "agent", message: "a program on the machine has grabbed the whole display" };
  }
  const message = "the screen is locked up: the display server answers nothing";
  return { state: "stuck", by: "itself", message };
}
