import { describe, expect, test } from "vitest";
import type { Effort } from "../../src/contract/contestant.ts";
import { fieldAt } from "../../src/contract/json-fields.ts";
import type { JsonValue } from "../../src/contract/json-value.ts";
import type { Usage } from "../../src/contract/usage.ts";
import type { CliProgram } from "../../src/harness/program/cli-program.ts";
import type { Script, ScriptStep, ScriptTurn } from "../../src/testing/scripted-model/script.ts";
import { runsCommands, storm, withFaults } from "../../src/testing/scripted-model/scripts.ts";
import { type CliRun, cliRig } from "./cli-rig.ts";
import { pictureServer } from "./picture-server.ts";

/** How a harness differs from the others where each is right. */
export interface CliExpectations {
  readonly program: CliProgram;
  /** The effort in a request of its wire. */
  readonly effortIn: (body: JsonValue) => JsonValue | undefined;
  /** What is there for some of our levels. */
  readonly efforts: Readonly<Partial<Record<Effort, JsonValue>>>;
  /** Whether its stream shows the pictures that its tools show; otherwise they are counted. Absent: it takes no MCP servers. */
  readonly pictures?: "kept" | "counted";
  /** Its tool that the provider runs, where it has one; the wire may name it by its type. */
  readonly search?: string;
  /** Counts of its own that equal the gateway's; `untold` where it tells none. */
  readonly counts: readonly (keyof Usage)[] | "untold";
  /**
   * What it does about an answer that breaks off, and about one that is no JSON; `either` where it hangs on how much of the
   * answer has reached it.
   */
  readonly afterCut: "recovers" | "gives up" | "either";
  readonly afterGarbage: "recovers" | "gives up";
  /** False where it tries a lost call so often, whatever it is told, that waiting for its end would be for nothing. */
  readonly givesUpSoon?: boolean;
}

const writesAnswer = runsCommands(
  ["mkdir -p ~/output && echo done > ~/output/answer.txt && cat ~/output/answer.txt"],
  "It is done.\n\nCLAIM: done\n- answer.txt: done",
);

/** Puts a step in place of the first request. */
function atFirst(step: ScriptStep): Script {
  return withFaults(writesAnswer, ({ index }) => (index === 0 ? step : undefined));
}

/** Asks for the tool whose name ends so, once, then says the last words. */
function callsTool(ending: string): Script {
  return (turn: ScriptTurn): ScriptStep => {
    const tool = turn.tools.find(({ name }) => name.endsWith(ending));
    if (tool === undefined || turn.results.length > 0) return { kind: "answer", text: "I have seen it." };
    const { name, namespace } = tool;
    const call = { name, ...(namespace === undefined ? {} : { namespace }), arguments: {} };
    return { kind: "answer", text: "I will look.", toolCalls: [call] };
  };
}

/** Holds for every run, however it ended. */
function expectTidy(run: CliRun): void {
  expect(run.left).toEqual([]);
  expect(run.leaks).toEqual([]);
}

/** What every command line harness must do, each with its real program. */
export function cliConformance(expectations: CliExpectations): void {
  const { program, effortIn, efforts } = expectations;
  const isRoot = process.getuid?.() === 0;

  describe.skipIf(!isRoot)(`${program.name}, for real`, () => {
    test("does a task in the shell, and what it says of it is true", async () => {
      const run = await cliRig({ program, script: writesAnswer });
      expectTidy(run);
      expect(run.output).toEqual({ "answer.txt": "done\n" });
      expect(run.outcome).toMatchObject({
        kind: "completed",
        claim: { known: true, value: { kind: "done" } },
      });
      const [call] = run.trajectory.steps.flatMap((step) => step.tool_calls ?? []);
      expect(JSON.stringify(call?.arguments)).toContain("answer.txt");
      const [result] = run.trajectory.steps.flatMap((step) => step.observation?.results ?? []);
      expect(JSON.stringify(result?.content)).toContain("done");
      expect(new Set(run.calls.map(({ turn }) => turn.model))).toEqual(new Set(["scripted"]));
      expect(run.told.usage.known).toBe(expectations.counts !== "untold");
      for (const count of expectations.counts === "untold" ? [] : expectations.counts) {
        expect([count, run.told.usage.known && run.told.usage.value[count]]).toEqual([
          count,
          run.meter.usage[count],
        ]);
      }
      expect(run.meter).toMatchObject({ unmetered: 0, rejected: [], failures: [], substitutions: [] });
    });

    test("leaves no daemon of its agent unseen", async () => {
      const script = runsCommands(["setsid --fork sleep 600 >/dev/null 2>&1 </dev/null"], "It runs.");
      const run = await cliRig({ program, script });
      expect(run.outcome.kind).toBe("completed");
      expect(run.left).toEqual(["sleep"]);
    });

    test.each(Object.entries(efforts) as [Effort, JsonValue][])(
      "is told to work with the effort %s, in its own words %j",
      async (effort, words) => {
        const run = await cliRig({ program, script: writesAnswer, effort });
        expectTidy(run);
        expect(run.outcome.kind).toBe("completed");
        for (const { body } of run.calls) expect(effortIn(body) ?? null).toEqual(words);
      },
    );

    test("is given an instruction of any length whole", async () => {
      const instruction = `${"All of this matters. ".repeat(15_000)}The last word is xylophone.`;
      const run = await cliRig({ program, script: writesAnswer, instruction });
      expectTidy(run);
      expect(run.outcome.kind).toBe("completed");
      expect(JSON.stringify(run.calls[0]?.body)).toContain(instruction);
    });

    test.skipIf(expectations.pictures === undefined)(
      "is shown a picture by our MCP server, under any name of a model",
      async () => {
        const server = pictureServer();
        const model = "house/large-2.5:exam";
        const script = callsTool("screenshot");
        const run = await cliRig({ program, script, model, mcp: { screen: server.handler } });
        expectTidy(run);
        expect(run.outcome.kind).toBe("completed");
        expect(server.shown()).toBe(1);
        expect(run.calls.map(({ turn }) => turn.model)).toContain(model);
        expect(JSON.stringify(run.calls.at(-1)?.body)).toContain(server.picture);
        const isKept = expectations.pictures === "kept";
        expect(run.screenshots).toHaveLength(isKept ? 1 : 0);
        if (!isKept) expect(JSON.stringify(run.trajectory)).toContain('"images_left_out":1');
      },
    );

    test.skipIf(expectations.search === undefined)(
      "searches the web by its provider only where the contestant is one that does",
      async () => {
        const asked = async (settings: Readonly<Record<string, boolean>>): Promise<string> => {
          const run = await cliRig({ program, script: writesAnswer, settings });
          expect(run.outcome.kind).toBe("completed");
          return JSON.stringify(fieldAt(run.calls[0]?.body, "tools"));
        };
        expect(await asked({})).not.toContain(`"${expectations.search}"`);
        expect(await asked({ web_search: true })).toContain(`"${expectations.search}"`);
      },
    );

    test("is not blamed for a key that the provider refuses", async () => {
      const script: Script = () => ({ kind: "error", status: 401, message: "no such key" });
      const run = await cliRig({ program, script });
      expectTidy(run);
      expect(run.told.kind).toBe("agent-error");
      expect(run.outcome).toMatchObject({ kind: "env-error", reason: expect.stringContaining("HTTP 401") });
    });

    test("never hears of a storm of 429 and 503", async () => {
      const faults = [storm(1, 429, 0), storm(2, 503)];
      const script = withFaults(writesAnswer, (turn) => faults.map((fault) => fault(turn)).find(Boolean));
      const run = await cliRig({ program, script });
      expectTidy(run);
      expect(run.outcome.kind).toBe("completed");
      const answers = run.calls.filter(({ step }) => step.kind === "answer").length;
      expect(run.meter).toMatchObject({ usage: { calls: answers }, failures: [] });
      expect(run.meter.waitedMs).toBeGreaterThan(0);
    });

    test.skipIf(expectations.givesUpSoon === false)(
      "is not blamed for a server that stays down",
      async () => {
        const run = await cliRig({ program, script: () => ({ kind: "error", status: 500 }) });
        expectTidy(run);
        expect(run.told.kind).toBe("agent-error");
        expect(run.outcome).toMatchObject({ kind: "env-error", reason: expect.stringContaining("HTTP 500") });
      },
    );

    test.skipIf(expectations.givesUpSoon === false)(
      "is not blamed for a server that takes its calls and says nothing",
      async () => {
        const silence = { first_byte_seconds: 0.2 };
        const run = await cliRig({ program, script: () => ({ kind: "hang" }), silence });
        expectTidy(run);
        expect(run.told.kind).toBe("agent-error");
        expect(run.outcome).toMatchObject({
          kind: "env-error",
          reason: expect.stringContaining("nothing came for"),
        });
      },
    );

    test("is ended at its limit with all its processes, however long its model is silent", async () => {
      const limit = new AbortController();
      const script: Script = () => {
        limit.abort(new DOMException("its time is up", "TimeoutError"));
        return { kind: "hang" };
      };
      const run = await cliRig({ program, script, signal: limit.signal });
      expectTidy(run);
      expect(run.told).toMatchObject({
        kind: "agent-error",
        reason: expect.stringContaining("its time is up"),
      });
    });

    test("is ended when it has used up its calls", async () => {
      const run = await cliRig({ program, script: writesAnswer, limits: { calls: 1 } });
      expectTidy(run);
      expect(run.meter).toMatchObject({ exceeded: "calls", usage: { calls: 1 }, failures: [] });
      expect(run.told.kind).toBe("agent-error");
      expect(run.outcome.kind).toBe("agent-error");
    });

    test.each([
      ["an answer that breaks off", { kind: "answer", text: "one two three four", cutAfter: 3 }, "afterCut"],
      ["an answer that is no JSON", { kind: "malformed" }, "afterGarbage"],
    ] as const)("after %s it goes on, or is not blamed", async (_, step, expected) => {
      const run = await cliRig({ program, script: atFirst(step) });
      expectTidy(run);
      const wanted = expectations[expected];
      const recovers = wanted === "either" ? run.told.kind === "completed" : wanted === "recovers";
      expect(run.outcome.kind).toBe(recovers ? "completed" : "env-error");
      expect(run.told.kind).toBe(recovers ? "completed" : "agent-error");
      expect(run.meter.failures.length).toBeGreaterThan(0);
    });

    test("has not failed when its model declines", async () => {
      const run = await cliRig({ program, script: () => ({ kind: "refusal", text: "I must decline." }) });
      expectTidy(run);
      expect(run.outcome.kind).toBe("refused");
    });
  });
}
