import type { ScriptFault, ScriptFile, ScriptRule } from "../../contract/script-file.ts";
import { pickShellTool } from "./pick-shell-tool.ts";
import type { Script, ScriptStep, ScriptToolCall, ScriptTurn } from "./script.ts";

/** Does as the file says, in any number of conversations at once. A request that no rule fits is told so. */
export function scriptFromFile(file: ScriptFile): Script {
  const rules = file.rules.map((rule) => ({
    rule,
    match: matcher(rule.when),
    isDone: matcher(rule.done_when),
    left: new Map(rule.faults.map((fault) => [fault, fault.times])),
  }));
  return (turn) => {
    const found = rules.find(({ match }) => match(turn.said) !== undefined);
    if (found === undefined)
      return { kind: "answer", text: "This script says nothing of such a conversation." };
    const { rule, isDone, left } = found;
    const words = found.match(turn.said) ?? {};
    const step = stepOf(rule, turn, (text) => isDone(text) !== undefined, words);
    const fault = rule.faults.find(
      (candidate) => candidate.before === turn.results.length && (left.get(candidate) ?? 0) > 0,
    );
    if (fault === undefined) return step;
    left.set(fault, (left.get(fault) ?? 0) - 1);
    return faulty(fault, step);
  };
}

type AnswerStep = Extract<ScriptStep, { kind: "answer" }>;

function stepOf(
  rule: ScriptRule,
  turn: ScriptTurn,
  isDone: (text: string) => boolean,
  words: NamedGroups,
): AnswerStep {
  const { usage } = rule;
  const waiting = waitForCommand(turn);
  if (waiting !== undefined) {
    return { kind: "answer", text: "It is still at work.", toolCalls: [waiting], usage };
  }
  const line = rule.commands[turn.results.filter(({ text }) => runningSession(text) === undefined).length];
  const command = line === undefined ? undefined : filledIn(line, words);
  const call = command === undefined ? undefined : pickShellTool(turn.tools, command);
  if (call !== undefined) {
    return { kind: "answer", text: "I will run a command.", toolCalls: [call], usage };
  }
  // Without a shell, or in a question beside the task such as one for a title, nothing was done.
  const isOver = command === undefined && isDone(turn.results.at(-1)?.text ?? "");
  return { kind: "answer", text: isOver ? rule.last_words : (rule.failed_words ?? rule.last_words), usage };
}

/** A command that outlasted its tool's patience goes on in a session; its last words come by asking for them. */
function waitForCommand(turn: ScriptTurn): ScriptToolCall | undefined {
  const session = runningSession(turn.results.at(-1)?.text ?? "");
  const tool = turn.tools.find(({ name }) => name === "write_stdin");
  if (session === undefined || tool === undefined) return undefined;
  return { name: tool.name, arguments: { session_id: session, chars: "", yield_time_ms: 30_000 } };
}

function runningSession(text: string): number | undefined {
  const id = /process running with session id (\d+)/i.exec(text)?.[1];
  return id === undefined ? undefined : Number(id);
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

type NamedGroups = Readonly<Record<string, string | undefined>>;

/** Gives the named groups where the expression is found, none of them where there is no expression. */
function matcher(text: string | undefined): (given: string) => NamedGroups | undefined {
  if (text === undefined) return () => ({});
  const expression = new RegExp(text);
  return (given) => {
    const found = expression.exec(given);
    return found === null ? undefined : (found.groups ?? {});
  };
}

/** Puts what `when` has found in the place of `{{name}}`; other braces are left alone. */
function filledIn(line: string, words: NamedGroups): string {
  return line.replaceAll(/\{\{(\w+)\}\}/g, (braces, name: string) => words[name] ?? braces);
}
