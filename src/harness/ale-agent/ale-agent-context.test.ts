import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { runAgent } from "../../../test/support/agent-rig.ts";
import { calls, done, says, sent, write } from "../../../test/support/agent-script.ts";
import { known, unknown } from "../../contract/absence.ts";
import { wireNames } from "../../contract/wire.ts";
import { createBudgetServer } from "../../desktop/mcp/create-budget-server.ts";
import { serveMcpOverHttp } from "../../desktop/mcp/serve-mcp-over-http.ts";
import { createToolServer } from "../../desktop/mcp/tool-server.ts";
import { type AgentTool, defineTool } from "../../desktop/tools/agent-tool.ts";
import type { Script, ScriptStep } from "../../testing/scripted-model/script.ts";
import { inOrder } from "../../testing/scripted-model/scripts.ts";
import type { McpEndpoint } from "../harness.ts";

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
});
