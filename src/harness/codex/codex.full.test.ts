import { expect, test } from "vitest";
import { cliConformance } from "../../../test/support/cli-conformance.ts";
import { cliRig } from "../../../test/support/cli-rig.ts";
import { fieldAt } from "../../contract/json-fields.ts";
import type { Script, ScriptStep, ScriptTurn } from "../../testing/scripted-model/script.ts";
import { codexProgram } from "./codex-program.ts";

cliConformance({
  program: codexProgram,
  effortIn: (body) => fieldAt(body, "reasoning", "effort"),
  efforts: { none: "none", minimal: "minimal", high: "high", max: "xhigh" },
  pictures: "kept",
  search: "web_search",
  counts: ["input", "cached", "cacheWrite", "output", "reasoning"],
  afterCut: "recovers",
  afterGarbage: "recovers",
});

/** Starts a sub-agent, waits for it, and says the last words; the sub-agent has no tool to start one. */
const delegates: Script = (turn) => {
  const id = /"agent_id":"([^"]+)"/.exec(turn.results[0]?.text ?? "")?.[1];
  if (!turn.tools.some(({ name }) => name === "spawn_agent"))
    return { kind: "answer", text: "Hello from below." };
  if (turn.results.length === 0) return calling(turn, "spawn_agent", { message: "Say hello." });
  if (turn.results.length === 1 && id !== undefined) return calling(turn, "wait_agent", { targets: [id] });
  return { kind: "answer", text: "It is done." };
};

function calling(
  turn: ScriptTurn,
  name: string,
  values: Readonly<Record<string, string | string[]>>,
): ScriptStep {
  const namespace = turn.tools.find((tool) => tool.name === name)?.namespace;
  const call = { name, ...(namespace === undefined ? {} : { namespace }), arguments: values };
  return { kind: "answer", toolCalls: [call] };
}

test.skipIf(process.getuid?.() !== 0)(
  "what its sub-agents say is told, though not what they use",
  async () => {
    const run = await cliRig({ program: codexProgram, script: delegates });
    expect(run.outcome.kind).toBe("completed");
    expect(run.meter.usage.calls).toBe(4);
    const steps = run.trajectory.steps;
    const names = steps.flatMap((step) => step.tool_calls ?? []).map((call) => call.function_name);
    expect(names).toEqual(["spawn_agent", "wait"]);
    expect(JSON.stringify(steps)).toContain("Hello from below.");
    expect(run.told.usage.known && run.told.usage.value.input).toBe(3 * 1500);
  },
);
