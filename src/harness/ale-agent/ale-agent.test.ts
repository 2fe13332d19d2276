import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type AgentRun, runAgent } from "../../../test/support/agent-rig.ts";
import { known, unknown } from "../../contract/absence.ts";
import { listAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { type WireName, wireNames } from "../../contract/wire.ts";
import { createBudgetServer } from "../../desktop/mcp/create-budget-server.ts";
import { serveMcpOverHttp } from "../../desktop/mcp/serve-mcp-over-http.ts";
import { createToolServer } from "../../desktop/mcp/tool-server.ts";
import { type AgentTool, defineTool } from "../../desktop/tools/agent-tool.ts";
import { providerIn } from "../../sandbox/local/test-support/conformance-target.ts";
import { hangProgram, type MemoryProgram } from "../../testing/memory-sandbox/memory-program.ts";
import type { Script, ScriptStep, ScriptToolCall } from "../../testing/scripted-model/script.ts";
import { inOrder, storm, withFaults } from "../../testing/scripted-model/scripts.ts";
import type { McpEndpoint } from "../harness.ts";
import { createAleAgent } from "./create-ale-agent.ts";

const done = "All is written.\n\nCLAIM: done\n- answer.txt: done";
const answerFile = "/home/agent/output/answer.txt";
const write: ScriptToolCall = { name: "write", arguments: { path: "output/answer.txt", content: "done" } };

const calls = (...toolCalls: readonly ScriptToolCall[]): ScriptStep => ({
  kind: "answer",
  text: "I go on.",
  toolCalls,
});
const says = (text: string): ScriptStep => ({ kind: "answer", text });

/** The text of what the model was sent, all in all. */
function sent({ calls: made }: AgentRun, index: number): string {
  return JSON.stringify(made.at(index)?.body ?? null);
}

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function serveTools(name: string, tools: readonly AgentTool[]): Promise<McpEndpoint> {
  return serve(
    name,
    serveMcpOverHttp(() => createToolServer({ name, version: "1", tools })),
  );
}

async function serve(name: string, handle: ReturnType<typeof serveMcpOverHttp>): Promise<McpEndpoint> {
  const server = createServer((request, response) => {
    if (request.headers.authorization === "Bearer trial-token") void handle(request, response);
    else response.writeHead(401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return { name, url, hostUrl: url };
}

/** A screen of one tool, that counts its pictures. */
const look = defineTool({
  name: "screenshot",
  description: "Looks.",
  input: z.strictObject({}),
  run: async () => ({
    content: [{ type: "image", mediaType: "image/png", data: png.toString("base64") }],
    failed: false,
  }),
});

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
    await using sandbox = await providerIn(stateDir).create({
      labels: { run: "r", trial: "t", attempt: 1, role: "test" },
      leaseSeconds: 120,
      cpus: 1,
      memoryMb: 512,
      diskMb: 64,
      maxProcesses: 64,
      network: "off",
      mounts: [],
      env: {},
    });
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

  test("an overlong conversation is cut to task, summary, notes and newest turns", async () => {
    const big = "word ".repeat(3000);
    const script: Script = (turn) => {
      if (turn.prompt.includes("about to be cut")) return says("SUMMARY: the answer is done");
      if (turn.index === 0) {
        return calls({ name: "notes", arguments: { action: "add", text: "NOTED: mind the gap" } });
      }
      if (turn.index < 5)
        return calls({ name: "read", arguments: { path: "big.txt", from_line: turn.index } });
      return says(done);
    };
    const run = await runAgent({
      script: (turn) => ({ ...script(turn), usage: { input: 0, cached: 0, cacheWrite: 0 } }) as ScriptStep,
      files: { "/home/agent/big.txt": Array(9).fill(big).join("\n") },
      settings: { context_tokens: 20_000 },
    });
    expect(run.outcome.kind).toBe("completed");
    const compactions = run.events.filter((event) => event.type === "agent" && event.kind === "compaction");
    expect(compactions.length).toBeGreaterThan(0);
    const last = sent(run, -1);
    for (const kept of ["Write the word done", "SUMMARY: the answer is done", "NOTED: mind the gap"]) {
      expect(last).toContain(kept);
    }
    expect(last.length).toBeLessThan(20_000 * 5);
    expect(run.trajectory.steps.filter((step) => String(step.message).startsWith("SUMMARY"))).toHaveLength(
      compactions.length,
    );
  });

  test("a model that takes less than was thought is sent less", async () => {
    const tooLong: ScriptStep = { kind: "error", status: 400, message: "prompt is too long: 9 tokens" };
    const steps: readonly ScriptStep[] = [
      calls(write),
      calls(write),
      tooLong,
      tooLong,
      calls(write),
      says(done),
    ];
    const run = await runAgent({ script: inOrder(steps) });
    expect(run.outcome.kind).toBe("completed");
    expect(sent(run, 4)).toContain("No summary of them could be made");
  });

  test.each(wireNames)(
    "keeps the newest images in the conversation over %s, and all in the record",
    async (wire) => {
      const looks = Array(4).fill(
        calls({ name: "read", arguments: { path: "dot.png" } }),
      ) as readonly ScriptStep[];
      const run = await runAgent({
        wire,
        script: inOrder([...looks, says(done)]),
        files: { "/home/agent/dot.png": png },
        settings: { keep_images: 2 },
      });
      const last = sent(run, -1);
      expect(last.split(png.toString("base64"))).toHaveLength(3);
      expect(last.split("it is no longer shown")).toHaveLength(3);
      const shown = run.trajectory.steps.flatMap((step) => step.observation?.results ?? []);
      expect(JSON.stringify(shown).match(/screenshots\/[0-9a-f]{64}\.png/g)).toHaveLength(4);
    },
  );

  test("uses the house's servers with the trial's token", async () => {
    const read = () => ({
      wallSeconds: { used: known(60), limit: 600 },
      workingSeconds: { used: known(60) },
      tokens: { used: known(0) },
      costUsd: { used: unknown("the model has no price") },
      calls: { used: known(1) },
    });
    const budget = await serve(
      "budget",
      serveMcpOverHttp(() => createBudgetServer({ version: "1", read })),
    );
    const run = await runAgent({
      script: inOrder([calls({ name: "budget", arguments: {} }), says(done)]),
      mcp: [budget],
    });
    expect(run.calls[1]?.turn.results[0]?.text).toContain("Time: 9 min 0 s left of 10 min 0 s");
    const dead = { ...budget, hostUrl: "http://127.0.0.1:9/mcp" };
    const lost = await runAgent({ script: inOrder([says(done)]), mcp: [dead] });
    expect(lost.outcome).toMatchObject({ kind: "env-error", usage: { known: false } });
  });

  test("a model that cannot see has a helper look at the screen", async () => {
    const script: Script = (turn) => {
      if (turn.model === "eyes") {
        return turn.results.length === 0
          ? calls({ name: "screenshot", arguments: {} })
          : says("The screen shows 42.");
      }
      return turn.results.length === 0
        ? calls({ name: "screen_task", arguments: { task: "Read the number." } })
        : says(done);
    };
    const run = await runAgent({
      script,
      mcp: [await serveTools("screen", [look])],
      settings: { vision: "eyes" },
    });
    expect(run.outcome.usage).toMatchObject({ known: true, value: { calls: 4 } });
    expect(run.calls.at(-1)?.turn.results[0]?.text).toBe("The screen shows 42.");
    expect(run.calls[0]?.turn.tools.map((tool) => tool.name)).not.toContain("screenshot");
    const helped = run.trajectory.steps.filter((step) =>
      JSON.stringify(step.extra ?? {}).includes("subagent"),
    );
    expect(helped.map((step) => step.source)).toEqual(["user", "agent", "agent"]);
  });

  test("a model that sees uses the screen itself; one that does not is shown nothing", async () => {
    const script = (): Script => inOrder([calls({ name: "screenshot", arguments: {} }), says(done)]);
    const mcp = [await serveTools("screen", [look])];
    const seeing = await runAgent({ script: script(), mcp });
    expect(sent(seeing, 1)).toContain(png.toString("base64"));
    const blind = await runAgent({ script: script(), mcp, settings: { vision: false } });
    expect(sent(blind, 1)).not.toContain(png.toString("base64"));
  });

  test("settings are strict, and a model is needed", async () => {
    const preflight = (settings: Readonly<Record<string, string | number>>, model = "m") =>
      createAleAgent("1").preflight({ name: "c", harness: "ale-agent", settings, model });
    expect(await preflight({ max_turns: 5, vision: "eyes" })).toEqual([]);
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
