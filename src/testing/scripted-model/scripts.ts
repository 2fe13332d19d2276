import { pickShellTool } from "./pick-shell-tool.ts";
import type { Script, ScriptStep, ScriptTurn } from "./script.ts";

/** Says the same whatever it is asked. */
export function alwaysSays(text: string): Script {
  return () => ({ kind: "answer", text });
}

/** Steps in order, one per request; the last is repeated. Throws a `RangeError` on an empty list. */
export function inOrder(steps: readonly ScriptStep[]): Script {
  const last = steps.at(-1);
  if (last === undefined) throw new RangeError("a script needs a step");
  let next = 0;
  return () => steps[next++] ?? last;
}

/**
 * Runs the command lines one after another in the harness's shell tool, going on by how many results the conversation
 * holds, then says the last words. A request without tools (a title, say) is answered with the last words.
 */
export function runsCommands(commands: readonly string[], lastWords: string): Script {
  return (turn) => {
    const command = commands[turn.results.length];
    const call = command === undefined ? undefined : pickShellTool(turn.tools, command);
    if (call === undefined) return { kind: "answer", text: lastWords };
    return { kind: "answer", text: "I will run a command.", toolCalls: [call] };
  };
}

/** The script with other steps put in where `fault` gives one, by request; the script does not see those requests. */
export function withFaults(script: Script, fault: (turn: ScriptTurn) => ScriptStep | undefined): Script {
  return (turn) => fault(turn) ?? script(turn);
}

/** Fails the first `count` requests with the status: a storm of 429, say. */
export function storm(
  count: number,
  status: number,
  retryAfterSeconds?: number,
): (turn: ScriptTurn) => ScriptStep | undefined {
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return ({ index }) => (index < count ? { kind: "error", status, ...wait } : undefined);
}
