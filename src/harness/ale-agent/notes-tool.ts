import { z } from "zod";
import { type AgentTool, defineTool } from "../../desktop/tools/agent-tool.ts";

/** Notes of the agent's that outlive every compaction of its conversation. */
export interface Notes {
  readonly tool: AgentTool;
  text(): string;
}

/** Longest notes, in characters. */
const maxNotes = 20_000;

export function createNotes(): Notes {
  let notes = "";
  return {
    text: () => notes,
    tool: defineTool({
      name: "notes",
      description:
        "Your notes. They stay when an overlong conversation is cut, so keep plans, findings and decisions here. add appends, replace begins anew, read gives them back.",
      input: z.strictObject({ action: z.enum(["add", "replace", "read"]), text: z.string().exactOptional() }),
      async run({ action, text }) {
        if (action !== "read") {
          const next = action === "add" && notes !== "" ? `${notes}\n${text ?? ""}` : (text ?? "");
          if (next.length > maxNotes)
            return `not kept: notes may have ${maxNotes} characters; replace them by shorter ones`;
          notes = next;
        }
        return notes === "" ? "(no notes)" : notes;
      },
    }),
  };
}
