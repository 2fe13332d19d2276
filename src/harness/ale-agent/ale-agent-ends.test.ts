import { describe, expect, test } from "vitest";
import { runAgent } from "../../../test/support/agent-rig.ts";
import { calls, done, says, sent, write } from "../../../test/support/agent-script.ts";
import { known } from "../../contract/absence.ts";
import { wireNames } from "../../contract/wire.ts";
import { hangProgram, type MemoryProgram } from "../../testing/memory-sandbox/memory-program.ts";
import type { Script, ScriptStep } from "../../testing/scripted-model/script.ts";
import { inOrder, storm, withFaults } from "../../testing/scripted-model/scripts.ts";

describe("the reference harness", () => {
  test("goes on after an answer that was cut off or empty, but not for ever", async () => {
    const run = await runAgent({ script: inOrder([says("")]) });
    expect(run.outcome).toMatchObject({ kind: "completed", claim: { known: false } });
    expect(run.calls).toHaveLength(3);
  });

  test.each(wireNames)("asks again over %s where an answer breaks off or cannot be read", async (wire) => {
    const faults: readonly ScriptStep[] = [
      { kind: "malformed" },
      { kind: "answer", text: "a b c d", cutAfter: 2 },
    ];
    const script = withFaults(inOrder([calls(write), says(done)]), ({ index }) => faults[index]);
    const run = await runAgent({ wire, script });
    expect(run.outcome.kind).toBe("completed");
    expect(run.calls).toHaveLength(4);
    expect(run.events.filter((event) => event.type === "agent" && event.kind === "model-retry")).toHaveLength(
      2,
    );
  });

  test("an upstream that is not to be had is not the contestant's fault", async () => {
    const flooded = await runAgent({ script: withFaults(inOrder([says(done)]), storm(9, 429)) });
    expect(flooded.outcome).toMatchObject({ kind: "env-error", reason: "429: scripted failure 429" });
    const gone = await runAgent({ script: inOrder([{ kind: "drop" }]) });
    expect(gone.outcome.kind).toBe("env-error");
    const broken = await runAgent({ script: inOrder([{ kind: "malformed" }]) });
    expect(broken.outcome.kind).toBe("env-error");
  });

  test("a request that is turned down, a spent budget and a refusal are told apart", async () => {
    const error = (status: number, message: string): Script => inOrder([{ kind: "error", status, message }]);
    const unknownModel = await runAgent({ script: error(404, "no such model") });
    expect(unknownModel.outcome).toMatchObject({ kind: "agent-error", reason: "404: no such model" });
    const spent = "this trial has reached its limit on tokens; no further model calls are possible";
    const budget = await runAgent({ script: error(429, spent), wire: "openai-chat" });
    expect(budget.outcome).toMatchObject({ kind: "agent-error", reason: `429: ${spent}` });
    const refused = await runAgent({ script: inOrder([{ kind: "refusal", text: "I will not do that." }]) });
    expect(refused.outcome).toMatchObject({ kind: "refused", reason: "I will not do that." });
    expect(refused.trajectory.steps.at(-1)?.message).toBe("I will not do that.");
  });

  test("a machine that is lost is not the contestant's fault, and what was done is kept", async () => {
    const run = await runAgent({
      script: inOrder([calls(write), calls(write), says(done)]),
      faults: [{ at: "writeFile", kind: "gone", nth: 2 }],
    });
    expect(run.outcome.kind).toBe("env-error");
    expect(run.outcome.usage).toMatchObject({ known: true, value: { calls: 1 } });
    expect(run.trajectory.steps).toHaveLength(3);
  });

  test("ends soon when it is stopped, in a tool and in a call to the model", async () => {
    const inTool = new AbortController();
    const bash: MemoryProgram = (call) => {
      inTool.abort(new DOMException("the deadline", "TimeoutError"));
      return hangProgram(call);
    };
    const command = { name: "run", arguments: { command: "sleep 1000" } };
    const stopped = await runAgent({
      script: inOrder([calls(command, write)]),
      programs: { bash },
      signal: inTool.signal,
    });
    expect(stopped.outcome).toMatchObject({ kind: "agent-error", reason: "ended from outside" });
    expect(stopped.trajectory.steps.at(-1)?.observation?.results.map((result) => result.content)).toEqual([
      "ended from outside",
      "not run: the time is over",
    ]);
    const inCall = new AbortController();
    const script: Script = () => {
      inCall.abort();
      return { kind: "hang" };
    };
    const hung = await runAgent({ script, signal: inCall.signal });
    expect(hung.outcome).toMatchObject({ kind: "agent-error", reason: "ended from outside" });
  });

  test("after its last turn it is asked for its last words, and no tool is run", async () => {
    const run = await runAgent({
      script: inOrder([calls(write), { ...calls(write), text: "CLAIM: partial" } as ScriptStep]),
      settings: { max_turns: 1 },
    });
    expect(run.calls).toHaveLength(2);
    expect(sent(run, 1)).toContain("You have no more turns");
    expect(run.outcome).toMatchObject({ kind: "completed", claim: known({ kind: "partial" }) });
  });

  test("is told once when little is left of a limit", async () => {
    const run = await runAgent({
      script: inOrder([calls(write), calls(write), calls(write), says(done)]),
      limits: { calls: 2 },
    });
    const told = run.trajectory.steps.filter((step) => String(step.message).includes("Little is left"));
    expect(told.map((step) => step.message)).toEqual([
      "Little is left of your model calls: write what you have to the output files now, then end.",
    ]);
  });
});
