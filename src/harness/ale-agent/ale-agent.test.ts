import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runAgent } from "../../../test/support/agent-rig.ts";
import { calls, done, says, sent, write } from "../../../test/support/agent-script.ts";
import { known } from "../../contract/absence.ts";
import type { Contestant } from "../../contract/contestant.ts";
import { listAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { type WireName, wireNames } from "../../contract/wire.ts";
import { providerIn } from "../../sandbox/local/test-support/conformance-target.ts";
import type { ScriptStep } from "../../testing/scripted-model/script.ts";
import { inOrder } from "../../testing/scripted-model/scripts.ts";
import { testMachine } from "../../testing/test-machine.ts";
import { createAleAgent } from "./create-ale-agent.ts";

const answerFile = "/home/agent/output/answer.txt";

describe("the reference harness", () => {
  test.each(wireNames)("does a task over %s, with its figures and its claim", async (wire: WireName) => {
    const script = inOrder([
      { ...calls(write), reasoning: "Plain enough." } as ScriptStep,
      calls({ name: "read", arguments: { path: "output/answer.txt" } }),
      says(done),
    ]);
    const run = await runAgent({ wire, script });
    expect(await run.read(answerFile)).toBe("done");
    const { outcome, trajectory } = run;
    expect(outcome).toMatchObject({ kind: "completed", claim: known({ kind: "done", message: done }) });
    const expected = run.calls.map((call) => call.usage);
    expect(outcome.usage).toEqual(
      known({
        calls: 3,
        input: expected.reduce((sum, usage) => sum + (usage?.input ?? 0), 0),
        cached: expected.reduce((sum, usage) => sum + (usage?.cached ?? 0), 0),
        cacheWrite: expected.reduce((sum, usage) => sum + (usage?.cacheWrite ?? 0), 0),
        output: expected.reduce((sum, usage) => sum + (usage?.output ?? 0), 0),
        reasoning: expected.reduce((sum, usage) => sum + (usage?.reasoning ?? 0), 0),
      }),
    );
    expect(trajectory.steps.map((step) => step.source)).toEqual([
      "system",
      "user",
      "agent",
      "agent",
      "agent",
    ]);
    expect(trajectory.steps[3]).toMatchObject({
      timestamp: expect.any(String),
      metrics: { prompt_tokens: 1500, cached_tokens: 400, completion_tokens: 60 },
      tool_calls: [{ function_name: "read", arguments: { path: "output/answer.txt" } }],
      observation: { results: [{ content: "done" }] },
    });
    expect(trajectory.final_metrics).toMatchObject({ total_steps: 5, total_prompt_tokens: 4500 });
    expect(run.calls[2]?.turn.results.map((result) => result.text)).toEqual([
      "wrote 4 bytes to /home/agent/output/answer.txt",
      "done",
    ]);
    expect(run.calls.every((call) => JSON.stringify(call.headers).includes("trial-token"))).toBe(true);
  });

  test("works on a real machine", async () => {
    const stateDir = await mkdtemp(join(tmpdir(), "ale-agent-local-"));
    onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
    await using sandbox = await providerIn(stateDir).create(
      testMachine({ leaseSeconds: 120, memoryMb: 512, diskMb: 64, maxProcesses: 64 }),
    );
    const script = inOrder([
      calls({
        name: "run",
        arguments: { command: "echo done > output/answer.txt && cat output/answer.txt" },
      }),
      says(done),
    ]);
    const run = await runAgent({ script, sandbox });
    expect(await run.read(answerFile)).toBe("done\n");
    expect(run.calls[1]?.turn.results[0]?.text).toMatch(/^done\n\[exit 0/);
  });

  test("asks once for the claim in its form, and bears with none", async () => {
    const asked = await runAgent({ script: inOrder([says("Finished!"), says(done)]) });
    expect(asked.calls).toHaveLength(2);
    expect(sent(asked, 1)).toContain("does not end in the form");
    expect(asked.outcome.claim).toMatchObject(known({ kind: "done" }));
    const stubborn = await runAgent({ script: inOrder([says("Finished!")]) });
    expect(stubborn.calls).toHaveLength(2);
    expect(stubborn.outcome).toMatchObject({ kind: "completed", claim: { known: false } });
  });

  test("what the model gets wrong about tools is told to it", async () => {
    const run = await runAgent({
      script: inOrder([
        calls({ name: "fly", arguments: {} }, { name: "read", arguments: { file: 3 } }),
        calls({ name: "run", arguments: { command: "ls" } }),
        says(done),
      ]),
    });
    const [fly, bad, none] = run.calls[2]?.turn.results.map((result) => result.text) ?? [];
    expect(fly).toContain("there is no tool fly; there are: run, background, read,");
    expect(bad).toContain("bad arguments");
    expect(none).toContain("not started");
    expect(run.outcome.kind).toBe("completed");
  });

  test("settings are strict, and a model is needed", async () => {
    const preflight = (settings: Contestant["settings"], model = "m") =>
      createAleAgent("1").preflight({ name: "c", harness: "ale-agent", settings, model });
    expect(await preflight({ max_turns: 5, vision: "eyes", accessibility: true })).toEqual([]);
    expect(await preflight({ max_turn: 5 })).toMatchObject([{ code: "unknown-setting", severity: "error" }]);
    expect(await preflight({ max_turns: "many" })).toMatchObject([{ code: "bad-setting" }]);
    const nameless = { name: "c", harness: "ale-agent", settings: {} };
    expect(await createAleAgent("1").preflight(nameless)).toMatchObject([{ code: "model-missing" }]);
  });

  test("tells its tools to the model in plain schemas", async () => {
    const run = await runAgent({ script: inOrder([says(done)]), wire: "openai-chat" });
    const tools = listAt(run.calls[0]?.body, "tools") as readonly JsonValue[];
    expect(tools).toHaveLength(8);
    expect(tools[0]).toMatchObject({
      function: { name: "run", parameters: { type: "object", required: ["command"] } },
    });
  });
});
