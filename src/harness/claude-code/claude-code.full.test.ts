import { expect, test } from "vitest";
import { cliConformance } from "../../../test/support/cli-conformance.ts";
import { cliRig } from "../../../test/support/cli-rig.ts";
import { fieldAt } from "../../contract/json-fields.ts";
import { inOrder } from "../../testing/scripted-model/scripts.ts";
import { claudeCodeProgram } from "./claude-code-program.ts";

cliConformance({
  program: claudeCodeProgram,
  effortIn: (body) => fieldAt(body, "output_config", "effort"),
  efforts: { none: null, minimal: "low", xhigh: "xhigh", max: "max" },
  pictures: "kept",
  search: "WebSearch",
  counts: ["calls", "input", "cached", "cacheWrite", "output", "reasoning"],
  afterCut: "recovers",
  afterGarbage: "recovers",
});

test.skipIf(process.getuid?.() !== 0)("what its sub-agents say and use is told too", async () => {
  const task = { description: "greet", prompt: "Say hello.", subagent_type: "general-purpose" };
  const call = { name: "Agent", arguments: { ...task, run_in_background: false } };
  const script = inOrder([
    { kind: "answer", text: "I delegate.", toolCalls: [call] },
    { kind: "answer", text: "Hello from below." },
    { kind: "answer", text: "It is done." },
  ]);
  const run = await cliRig({ program: claudeCodeProgram, script });
  expect(run.meter.usage.calls).toBe(3);
  expect(run.told.usage).toEqual({ known: true, value: run.meter.usage });
  const messages = run.trajectory.steps.map(({ source, message }) => [source, message]);
  expect(messages.slice(1)).toEqual([
    ["agent", "I delegate."],
    ["agent", "Hello from below."],
    ["agent", "It is done."],
  ]);
});
