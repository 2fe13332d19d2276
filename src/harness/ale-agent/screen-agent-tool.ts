import { z } from "zod";
import { type AgentTool, defineTool, failure, success } from "../../desktop/tools/agent-tool.ts";
import { type LoopOptions, runLoop } from "./run-loop.ts";

export interface ScreenAgentOptions
  extends Pick<LoopOptions, "opened" | "tools" | "keepImages" | "clock" | "contextTokens" | "recorder"> {
  /** The call that is being made now. */
  readonly currentCall: () => string;
}

const maxTurns = 60;

const system = [
  "You work at the screen of a computer for someone who cannot see it.",
  "Do what is asked with the tools, look at the screen after each action, and change nothing else.",
  "When it is done, or cannot be done, answer in words: what you did, what the screen shows now, and every text or number that was asked for, exactly.",
].join("\n");

/** A tool by which a model that cannot see has another one do a piece of work at the screen. */
export function screenAgentTool({ recorder, currentCall, ...options }: ScreenAgentOptions): AgentTool {
  return defineTool({
    name: "screen_task",
    description:
      "Gives a piece of work at the graphical screen to a helper who sees it. Say all that it needs: it knows nothing of your task. It tells you what it did and saw.",
    input: z.strictObject({ task: z.string().min(1) }),
    async run({ task }, signal) {
      const own = recorder.forSubagent(currentCall());
      await own.say("user", task);
      const end = await runLoop({
        ...options,
        recorder: own,
        signal,
        system,
        task,
        maxTurns,
        notes: () => "",
      });
      signal.throwIfAborted();
      switch (end.kind) {
        case "finished":
          return success(end.message);
        case "out-of-turns":
          return failure(`it was not done in ${maxTurns} turns; the helper says: ${end.message}`);
        case "refused":
          return failure(`the helper declined: ${end.reason}`);
        case "failed":
          return failure(`the helper could not go on: ${end.failure.message}`);
      }
    },
  });
}
