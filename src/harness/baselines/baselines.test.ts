import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { known } from "../../contract/absence.ts";
import type { TrialEventBody } from "../../contract/trial-event.ts";
import { noUsage } from "../../contract/usage.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import type { MemoryFault } from "../../testing/memory-sandbox/memory-faults.ts";
import { hangProgram, type MemoryProgram } from "../../testing/memory-sandbox/memory-program.ts";
import type { MemorySandbox } from "../../testing/memory-sandbox/memory-sandbox.ts";
import { MemorySandboxProvider } from "../../testing/memory-sandbox/memory-sandbox-provider.ts";
import { testMachine } from "../../testing/test-machine.ts";
import type { HarnessOutcome, HarnessTrial } from "../harness.ts";
import { baselineHarnesses } from "./baseline-harnesses.ts";

interface Sitting {
  readonly outcome: HarnessOutcome;
  readonly sandbox: MemorySandbox;
  readonly events: readonly TrialEventBody[];
  readonly log: string | undefined;
}

interface Scene {
  readonly settings?: Readonly<Record<string, readonly string[]>>;
  readonly programs?: Readonly<Record<string, MemoryProgram>>;
  readonly faults?: readonly MemoryFault[];
  readonly trial?: Partial<HarnessTrial>;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

function trialOf(name: string, settings: Scene["settings"] = {}): HarnessTrial {
  return {
    contestant: { name, harness: name, settings },
    instance: "legal/audit@base",
    instruction: "Do the work.",
    limits: {},
    outputs: [{ path: "report.pdf", kind: "pdf", required: true }],
  };
}

async function sit(name: string, scene: Scene = {}): Promise<Sitting> {
  const { programs = {}, faults = [] } = scene;
  const provider = new MemorySandboxProvider({ clock: createFixedClock(), programs, faults });
  const sandbox = await provider.create(testMachine({ role: "agent" }));
  for (const [path, text] of Object.entries(scene.inputs ?? {})) sandbox.files.write(path, text);
  const logs = await mkdtemp(join(tmpdir(), "ale-baseline-"));
  try {
    const harness = baselineHarnesses("1.2.3").get(name);
    const events: TrialEventBody[] = [];
    const outcome = await harness?.launch({
      trial: { ...trialOf(name, scene.settings), ...scene.trial },
      sandbox,
      signal: scene.signal ?? new AbortController().signal,
      record: logs,
      logs,
      clock: createFixedClock(),
      redact: (value) => value,
      emit: (event) => events.push(event),
    });
    if (outcome === undefined) throw new RangeError(`no baseline ${name}`);
    const log = await readFile(join(logs, "agent.stdout.log"), "utf8").catch(() => undefined);
    return { outcome, sandbox, events, log };
  } finally {
    await rm(logs, { recursive: true });
  }
}

test.each([...baselineHarnesses("1.2.3").keys()])("%s refuses a setting it does not know", async (name) => {
  const settings = name === "command" ? { argv: ["work"], colour: ["blue"] } : { colour: ["blue"] };
  const findings = await baselineHarnesses("1.2.3").get(name)?.preflight({ name, harness: name, settings });
  expect(findings).toMatchObject([{ severity: "error", code: "unknown-setting" }]);
});

describe("nop", () => {
  test("completes, touching nothing, and costs nothing", async () => {
    const { outcome, sandbox } = await sit("nop");
    expect(outcome).toMatchObject({
      kind: "completed",
      usage: known(noUsage),
      costUsd: known(0),
      claim: { known: false },
    });
    expect(await sandbox.list("/home/agent/output")).toEqual([]);
  });
});

describe("command", () => {
  const settings = { argv: ["work", "--hard"] };

  test("gets the instruction on standard input and in a file, and its last line is its claim", async () => {
    let seen: unknown;
    const { outcome, events, log } = await sit("command", {
      settings,
      programs: {
        work: ({ argv, options, files }) => {
          seen = [
            argv,
            String(options.stdin),
            files.text("/home/agent/instruction.md"),
            options.user ?? "agent",
          ];
          return { stdout: "working\nAll done.\n\n" };
        },
      },
    });
    expect(seen).toEqual([["work", "--hard"], "Do the work.", "Do the work.", "agent"]);
    expect(outcome).toMatchObject({
      kind: "completed",
      claim: known({ kind: "done", message: "All done." }),
      usage: { known: false },
      costUsd: { known: false },
    });
    expect(log).toBe("working\nAll done.\n\n");
    expect(events).toMatchObject([{ type: "command", phase: "agent", argv: ["work", "--hard"], exit: 0 }]);
  });

  test.each([
    ["exits with an error", () => ({ exit: 3, stdout: "sorry" }), "exit 3"],
    [
      "says why",
      () => ({ exit: 3, stderr: "reading\nno such column: totl\n\n" }),
      "exit 3: no such column: totl",
    ],
    ["is killed", () => ({ end: { kind: "signalled", signal: "SIGSEGV" } }) as const, "SIGSEGV"],
  ])("that %s is an agent's error", async (_name, program, reason) => {
    const { outcome } = await sit("command", { settings, programs: { work: program } });
    expect(outcome).toMatchObject({ kind: "agent-error", reason, claim: { known: false } });
  });

  test("that does not exist is an agent's error", async () => {
    const { outcome } = await sit("command", { settings });
    expect(outcome).toMatchObject({
      kind: "agent-error",
      reason: expect.stringContaining("no such program"),
    });
  });

  test("ends soon after its signal", async () => {
    const deadline = new AbortController();
    const sitting = sit("command", {
      settings,
      signal: deadline.signal,
      programs: {
        work: (call) => {
          queueMicrotask(() => deadline.abort());
          return hangProgram(call);
        },
      },
    });
    expect((await sitting).outcome.kind).toBe("agent-error");
  });

  test("on a machine that is lost is not its own error", async () => {
    const faults = [{ at: "spawn", kind: "gone" }] as const;
    const { outcome } = await sit("command", { settings, faults, programs: { work: () => ({}) } });
    expect(outcome.kind).toBe("env-error");
  });

  test("without a command is refused before the exam", async () => {
    const harness = baselineHarnesses("1").get("command");
    const findings = await harness?.preflight({ name: "mine", harness: "command", settings: {} });
    expect(findings).toMatchObject([{ severity: "error", code: "command-without-argv" }]);
  });
});

describe("oracle", () => {
  test("runs the task's solution as the agent, with its environment and its mounts", async () => {
    let seen: unknown;
    const mounts = [{ source: "/host", target: "/ale/runtime/tasks/task" }];
    const oracle = { argv: ["solve"], env: { A: "1" }, mounts };
    const programs: Scene["programs"] = {
      solve: ({ options }) => {
        seen = [options.user ?? "agent", options.env];
        return {};
      },
    };
    const { outcome } = await sit("oracle", { trial: { oracle }, programs });
    expect(outcome).toMatchObject({ kind: "completed", costUsd: known(0) });
    expect(seen).toEqual(["agent", { A: "1" }]);
    const harness = baselineHarnesses("1").get("oracle");
    expect((await harness?.needs({ ...trialOf("oracle"), oracle }))?.mounts).toEqual(mounts);
  });

  test("of a task without a solution says so", async () => {
    const { outcome } = await sit("oracle");
    expect(outcome).toMatchObject({
      kind: "agent-error",
      reason: "legal/audit@base has no solution of its own",
    });
  });
});

describe("bluffer", () => {
  const outputs = ["a.xlsx", "b/c.json", "d/", "e.txt", "f.pdf", "g.csv"].map((path) => ({
    path,
    kind: path.split(".").at(-1) ?? "folder",
    required: true,
  }));
  const inputs = { "/home/agent/input/ledger.csv": "x,y\n", "/home/agent/input/deep/note.txt": "note" };

  test("hands in every declared output, claims that all is done, and is the same every time", async () => {
    const [first, second] = [
      await sit("bluffer", { trial: { outputs }, inputs }),
      await sit("bluffer", { trial: { outputs }, inputs }),
    ];
    const handedIn = (sitting: Sitting): unknown =>
      sitting.sandbox.files
        .paths()
        .filter((path) => path.startsWith("/home/agent/output/"))
        .map((path) => [path, sitting.sandbox.files.text(path)]);
    expect(handedIn(first)).toEqual(handedIn(second));
    for (const path of ["a.xlsx", "b/c.json", "d/result.txt", "e.txt", "f.pdf", "g.csv"]) {
      expect(first.sandbox.files.text(`/home/agent/output/${path}`)).toBeDefined();
    }
    expect(first.outcome).toMatchObject({
      kind: "completed",
      claim: { known: true, value: { kind: "done" } },
    });
  });

  test("manages without any input", async () => {
    const { sandbox } = await sit("bluffer", {
      trial: { outputs },
      inputs: { "/home/agent/input/x/.keep": "" },
    });
    expect(sandbox.files.text("/home/agent/output/a.xlsx")).toBeDefined();
  });
});
