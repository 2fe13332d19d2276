import type { TrialEvent } from "../../contract/trial-event.ts";
import type { CallStep } from "../../desktop/channels/channel-use.ts";

/** What a person did, who has no trajectory: all of it goes through us, and each act is an event. */
export async function stepsOfPerson(events: AsyncIterable<TrialEvent>): Promise<readonly CallStep[]> {
  const acts: { readonly at: number; readonly tool?: string }[] = [];
  for await (const event of events) {
    const { at } = event;
    if (event.type === "command" && event.phase === "agent")
      acts.push({ at: at - event.wallMs, tool: "shell" });
    else if (event.type === "phase-ended" && event.phase === "agent") acts.push({ at });
    else if (event.type === "agent") {
      const tool = toolOf(event.kind);
      if (tool !== undefined) acts.push({ at, tool });
    }
  }
  return acts
    .sort((one, other) => one.at - other.at)
    .map(({ at, tool }, index) => ({
      timestamp: new Date(at).toISOString(),
      tool_calls:
        tool === undefined ? [] : [{ tool_call_id: String(index), function_name: tool, arguments: {} }],
    }));
}

function toolOf(kind: string): string | undefined {
  if (kind.startsWith("screen.")) return kind;
  return kind === "human.hand-in" || kind === "human.withdraw" ? "edit_file" : undefined;
}
