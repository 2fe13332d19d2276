import type { ScriptFault, ScriptFile, ScriptRule } from "../../contract/script-file.ts";
import { pickShellTool } from "./pick-shell-tool.ts";
import type { Script, ScriptStep, ScriptTurn } from "./script.ts";

/** Does as the file says, in any number of conversations at once. A request that no rule fits is told so. */
export function scriptFromFile(file: ScriptFile): Script {
  const rules = file.rules.map((rule) => ({
    rule,
    fits: expressionOf(rule.when),
    isDone: expressionOf(rule.done_when),
    left: new Map(rule.faults.map((fault) => [fault, fault.times])),
  }));
  return (turn) => {
    const found = rules.find(({ fits }) => fits(turn.said));
    if (found === undefined)
      return { kind: "answer", text: "This script says nothing of such a conversation." };
    const { rule, isDone, left } = found;
    const step = stepOf(rule, turn, isDone);
    const fault = rule.faults.find(
      (candidate) => candidate.before === turn.results.length && (left.get(candidate) ?? 0) > 0,
    );
    if (fault === undefined) return step;
    left.set(fault, (left.get(fault) ?? 0) - 1);
    return faulty(fault, step);
  };
}

type AnswerStep = Extract<ScriptStep, { kind: "answer" }>;

function stepOf(rule: ScriptRule, turn: ScriptTurn, isDone: (text: string) => boolean): AnswerStep {
  const { usage } = rule;
  const command = rule.commands[turn.results.length];
  const call = command === undefined ? undefined : pickShellTool(turn.tools, command);
  if (call !== undefined) {
    return { kind: "answer", text: "I will run a command.", toolCalls: [call], usage };
  }
  // Without a shell, or in a question beside the task such as one for a title, nothing was done.
  const isOver = command === undefined && isDone(turn.results.at(-1)?.text ?? "");
  return { kind: "answer", text: isOver ? rule.last_words : (rule.failed_words ?? rule.last_words), usage };
}

function faulty(fault: ScriptFault, step: AnswerStep): ScriptStep {
  switch (fault.kind) {
    case "error": {
      const { status, retry_after_seconds: wait } = fault;
      return { kind: "error", status, ...(wait === undefined ? {} : { retryAfterSeconds: wait }) };
    }
    case "refusal":
      return { kind: "refusal", text: fault.text };
    case "cut":
      return { ...step, cutAfter: fault.after };
    default:
      return { kind: fault.kind };
  }
}

function expressionOf(text: string | undefined): (given: string) => boolean {
  if (text === undefined) return () => true;
  const expression = new RegExp(text);
  return (given) => expression.test(given);
}
