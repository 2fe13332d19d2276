import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryRoot } from "../../../test/source-imports.ts";
import { cliRig } from "../../../test/support/cli-rig.ts";
import { pictureServer } from "../../../test/support/picture-server.ts";
import type { Script } from "../../testing/scripted-model/script.ts";
import { runsCommands, storm, withFaults } from "../../testing/scripted-model/scripts.ts";
import { createDeclarativeProgram } from "./create-declarative-program.ts";
import { parseHarnessFile } from "./parse-harness-file.ts";

const path = join(repositoryRoot, "data", "harness-files", "continue.yaml");
const program = createDeclarativeProgram(parseHarnessFile(await readFile(path, "utf8"), path));

const writesAnswer = runsCommands(
  ["mkdir -p ~/output && echo done > ~/output/answer.txt"],
  "It is done.\n\nCLAIM: done\n- answer.txt: done",
);

/** Continue tells nothing but its last words: what a stream of events would show is not asked of it. */
describe.skipIf(process.getuid?.() !== 0)("continue, a harness without code, for real", () => {
  test("does a task in the shell, and its calls are metered", async () => {
    const run = await cliRig({ program, script: withFaults(writesAnswer, storm(1, 429, 0)) });
    expect(run.output).toEqual({ "answer.txt": "done\n" });
    expect(run.outcome).toMatchObject({ kind: "completed", claim: { known: true, value: { kind: "done" } } });
    expect(run.meter).toMatchObject({ usage: { calls: 2 }, unmetered: 0, failures: [] });
    expect(run.trajectory.steps.at(-1)?.message).toContain("It is done.");
    expect([run.left, run.leaks]).toEqual([[], []]);
  });

  test("is given an instruction of any length whole", async () => {
    const instruction = `${"All of this matters. ".repeat(15_000)}The last word is xylophone.`;
    const run = await cliRig({ program, script: writesAnswer, instruction });
    expect(run.outcome.kind).toBe("completed");
    expect(JSON.stringify(run.calls[0]?.body)).toContain(instruction);
  });

  test("is given our MCP servers", async () => {
    const server = pictureServer();
    const script: Script = ({ tools, results }) => {
      const tool = tools.find(({ name }) => name.endsWith("screenshot"));
      if (tool === undefined || results.length > 0) return { kind: "answer", text: "I have seen it." };
      return { kind: "answer", text: "I will look.", toolCalls: [{ name: tool.name, arguments: {} }] };
    };
    const run = await cliRig({ program, script, mcp: { screen: server.handler } });
    expect(run.outcome.kind).toBe("completed");
    expect(server.shown()).toBe(1);
  });

  test("is not blamed for a key that the provider refuses", async () => {
    const script: Script = () => ({ kind: "error", status: 401, message: "no such key" });
    const run = await cliRig({ program, script });
    expect(run.outcome).toMatchObject({ kind: "env-error", reason: expect.stringContaining("HTTP 401") });
  });

  test("is ended at its limit with all its processes", async () => {
    const limit = new AbortController();
    const script: Script = () => {
      limit.abort(new DOMException("its time is up", "TimeoutError"));
      return { kind: "hang" };
    };
    const run = await cliRig({ program, script, signal: limit.signal });
    expect(run.told).toMatchObject({
      kind: "agent-error",
      reason: expect.stringContaining("its time is up"),
    });
    expect(run.left).toEqual([]);
  });
});
