import type { JsonValue } from "../../src/contract/json-value.ts";
import type { Script, ScriptToolCall, ScriptToolResult } from "../../src/testing/scripted-model/script.ts";

/** One call of a screen's tool; with `until`, made again each second until its result holds that, in words or as data. */
export interface ScreenMove {
  readonly tool: string;
  readonly input?: { readonly [key: string]: JsonValue };
  readonly until?: RegExp;
}

/** Of one kind of waiting; what has not come by then never will. */
const mostPauses = 150;
const pause: ScreenMove = { tool: "wait", input: { seconds: 1, until_quiet: false } };

/** Makes the moves one after another with the screen's tools alone, however the harness calls them; then says the last words. */
export function atTheScreen(moves: readonly ScreenMove[], lastWords: string): Script {
  return ({ tools, results }) => {
    const move = nextMove(moves, results);
    if (move === undefined || tools.length === 0) return { kind: "answer", text: lastWords };
    if (move === "in vain") return { kind: "answer", text: "It never came.\n\nCLAIM: could-not" };
    const name = new RegExp(`^(mcp_+)?(screen_+)?${move.tool}$`);
    const tool = tools.find((candidate) => name.test(candidate.name));
    if (tool === undefined) {
      return { kind: "answer", text: `There is no tool ${move.tool}.\n\nCLAIM: could-not` };
    }
    const call: ScriptToolCall = { name: tool.name, arguments: move.input ?? {} };
    return { kind: "answer", text: `I will use ${move.tool}.`, toolCalls: [call] };
  };
}

function nextMove(
  moves: readonly ScreenMove[],
  results: readonly ScriptToolResult[],
): ScreenMove | "in vain" | undefined {
  let made = 0;
  let pauses = 0;
  let isPausing = false;
  for (const { text } of results) {
    const until = moves[made]?.until;
    if (isPausing) isPausing = false;
    else if (until === undefined || until.test(text)) {
      made++;
      pauses = 0;
    } else {
      isPausing = true;
      pauses++;
    }
  }
  if (pauses > mostPauses) return "in vain";
  return isPausing ? pause : moves[made];
}
