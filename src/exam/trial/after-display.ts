import { unknown } from "../../contract/absence.ts";
import type { DisplayState } from "../../desktop/display-state.ts";
import type { AgentEnd } from "./agent-end.ts";

/**
 * An agent's end in the light of how its screen was found. One that failed by itself is the machine's fault, whatever the
 * agent came to. One that the agent ended is its error, unless a limit ended the agent anyway; both are graded.
 */
export function afterDisplay(end: AgentEnd, display: DisplayState | undefined): AgentEnd {
  if (display === undefined || display.state === "running" || display.by === "owner") return end;
  if (end.kind === "cancelled") return end;
  const reason = display.message;
  const { usage, costUsd, claim } = (end.kind === "lost" ? undefined : end.outcome) ?? untold;
  const told = { reason, usage, costUsd, claim };
  if (display.by === "itself") return { kind: "returned", outcome: { kind: "env-error", ...told } };
  if (end.kind === "timeout" || end.kind === "budget") return end;
  return { kind: "returned", outcome: { kind: "agent-error", ...told } };
}

const nothing = unknown("the harness did not return");
const untold = { usage: nothing, costUsd: nothing, claim: nothing };
