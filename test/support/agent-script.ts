import type { ScriptStep, ScriptToolCall } from "../../src/testing/scripted-model/script.ts";
import type { AgentRun } from "./agent-rig.ts";

/** What a model says that has done the rig's task, its claim in the form. */
export const done: string = "All is written.\n\nCLAIM: done\n- answer.txt: done";

/** The call that does it. */
export const write: ScriptToolCall = {
  name: "write",
  arguments: { path: "output/answer.txt", content: "done" },
};

export const calls = (...toolCalls: readonly ScriptToolCall[]): ScriptStep => ({
  kind: "answer",
  text: "I go on.",
  toolCalls,
});

export const says = (text: string): ScriptStep => ({ kind: "answer", text });

/** The text of what the model was sent, all in all. */
export function sent({ calls: made }: AgentRun, index: number): string {
  return JSON.stringify(made.at(index)?.body ?? null);
}
