import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { claimRequest } from "../trajectory/parse-claim.ts";

export interface SystemPromptOptions {
  /** How the agent gets at a screen, if there is one. */
  readonly screen: "none" | "tools" | "helper";
}

/** What the model is told of its place before the task. */
export function systemPrompt({ screen }: SystemPromptOptions): string {
  const { home, input, output } = sandboxLayout;
  return [
    "You are doing a piece of professional work on a computer of your own. No one will answer questions: decide yourself, by what the task says, and work until it is done.",
    `Your home is ${home}. The task's input files are in ${input}, which is read-only. What you leave in ${output} is all that will be looked at, by a program that checks content, not looks.`,
    "Look at the inputs before you decide on a method. Compute results with programs instead of in your head. When the files are written, read them back and check them against every requirement of the task.",
    ...(screen === "tools"
      ? [
          "There is a graphical screen: use its tools where a program has no other way in, and look after each action.",
        ]
      : []),
    ...(screen === "helper"
      ? ["There is a graphical screen that you cannot see: give work at it to your helper with screen_task."]
      : []),
    "Keep plans and findings with the notes tool: an overlong conversation is cut, your notes stay. Your time and budget are limited: the budget tool, where you have it, tells what is left.",
    "Be honest at the end: a file that is unfinished, guessed or unchecked is partial or could-not, and saying so costs nothing.",
    claimRequest,
  ].join("\n\n");
}
