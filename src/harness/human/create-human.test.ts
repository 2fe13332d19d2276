import { describe, expect, test } from "vitest";
import type { SittingDesk } from "../../contract/sitting-desk.ts";
import type { SittingEnd } from "../../contract/sitting-end.ts";
import type { TrialEventBody } from "../../contract/trial-event.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { hangProgram, type MemoryProgram } from "../../testing/memory-sandbox/memory-program.ts";
import { MemorySandboxProvider } from "../../testing/memory-sandbox/memory-sandbox-provider.ts";
import { testMachine } from "../../testing/test-machine.ts";
import type { HarnessOutcome } from "../harness.ts";
import { createHuman } from "./create-human.ts";

interface Sat {
  readonly outcome: HarnessOutcome;
  readonly events: readonly TrialEventBody[];
  readonly desk: SittingDesk;
}

/** A shell that hangs, or says what it was given. */
const sh: MemoryProgram = (call) =>
  call.argv[2] === "hang"
    ? hangProgram(call)
    : { stdout: `ran ${call.argv[2]}`, end: { kind: "exited", code: 3 } };

/** Has `person` work at the desk of a machine with one input file. */
async function sit(person: (desk: SittingDesk) => Promise<SittingEnd | undefined>): Promise<Sat> {
  const clock = createFixedClock();
  const provider = new MemorySandboxProvider({
    clock,
    programs: { sh },
  });
  const sandbox = await provider.create(testMachine({ role: "agent" }));
  sandbox.files.write("/home/agent/input/deep/ledger.csv", "a,b\n");
  const events: TrialEventBody[] = [];
  let desk: SittingDesk | undefined;
  const human = createHuman("1.2.3", {
    open: (given) => {
      desk = given;
      return person(given);
    },
  });
  const outcome = await human.launch({
    trial: {
      contestant: { name: "human:ada", harness: "human", settings: {} },
      instance: "legal/audit@base",
      instruction: "Do the work.",
      limits: { wall_minutes: 30, working_minutes: 20 },
      outputs: [{ path: "report.pdf", kind: "pdf", required: true }],
    },
    sandbox,
    signal: new AbortController().signal,
    ...{ record: "/none", logs: "/none", clock },
    redact: (value) => value,
    emit: (event) => events.push(event),
  });
  if (desk === undefined) throw new RangeError("no desk was given");
  return { outcome, events, desk };
}

const done: SittingEnd = { kind: "submitted", claim: { kind: "partial", message: "Most of it." } };

describe("a person at the desk", () => {
  test("lists, reads, hands in and withdraws files, each hand-in an event", async () => {
    const { events } = await sit(async (desk) => {
      expect(await desk.files("input")).toEqual([{ path: "deep/ledger.csv", bytes: 4 }]);
      expect(String(Buffer.from(await desk.read("input", "deep/ledger.csv")))).toBe("a,b\n");
      await desk.handIn("deep/report.pdf", Buffer.from("%PDF"));
      expect(await desk.files("output")).toEqual([{ path: "deep/report.pdf", bytes: 4 }]);
      await desk.withdraw("deep/report.pdf");
      expect(await desk.files("output")).toEqual([]);
      return done;
    });
    expect(events).toEqual([
      { type: "agent", kind: "human.hand-in", data: { path: "deep/report.pdf", bytes: 4 } },
      { type: "agent", kind: "human.withdraw", data: { path: "deep/report.pdf" } },
      { type: "agent", kind: "human.submitted", data: { kind: "partial", message: "Most of it." } },
    ]);
  });

  test.each(["", "/etc/passwd", "../input/x", "a/../b", "a//b", "./a", "a\0b", "x".repeat(1001)])(
    "cannot leave the folder by %j",
    async (path) => {
      await sit(async (desk) => {
        await expect(desk.handIn(path, Buffer.from("x"))).rejects.toMatchObject({ code: "desk-path" });
        await expect(desk.read("input", path)).rejects.toMatchObject({ code: "desk-path" });
        await expect(desk.withdraw(path)).rejects.toMatchObject({ code: "desk-path" });
        return done;
      });
    },
  );

  test("runs a line in the shell, and is on record for it", async () => {
    const { events } = await sit(async (desk) => {
      const ran = await desk.run("ls | wc", new AbortController().signal);
      expect(ran).toMatchObject({ end: "exit 3", stdout: "ran ls | wc", stderr: "" });
      return done;
    });
    expect(events[0]).toMatchObject({ type: "command", argv: ["sh", "-c", "ls | wc"], exit: 3 });
  });

  test("has until the limit that binds first", async () => {
    const { desk } = await sit(async () => done);
    expect((desk.deadline ?? 0) - desk.startedAt).toBe(20 * 60_000);
  });

  test("can do nothing after the end, and what still ran is ended", async () => {
    let running: Promise<unknown> | undefined;
    const { desk, events } = await sit(async (given) => {
      running = given.run("hang", new AbortController().signal);
      return done;
    });
    expect(await running).toMatchObject({ end: "aborted" });
    expect(events.map((event) => event.type)).toEqual(["command", "agent"]);
    await expect(desk.handIn("late.txt", Buffer.from("x"))).rejects.toMatchObject({ code: "desk-closed" });
  });
});

describe("how a person ends", () => {
  test("what they say is their claim; no model was used, and the cost is not known", async () => {
    const { outcome } = await sit(async () => done);
    expect(outcome).toMatchObject({
      kind: "completed",
      claim: { known: true, value: { kind: "partial", message: "Most of it." } },
      usage: { known: true, value: { calls: 0 } },
      costUsd: { known: false },
    });
  });

  test("giving up claims that it could not be done", async () => {
    const { outcome, events } = await sit(async () => ({ kind: "gave-up", message: "Too hard." }));
    expect(outcome.claim).toEqual({ known: true, value: { kind: "could-not", message: "Too hard." } });
    expect(events).toEqual([{ type: "agent", kind: "human.gave-up", data: { message: "Too hard." } }]);
  });

  test("one whose time ran out has claimed nothing", async () => {
    const { outcome, events } = await sit(async () => undefined);
    expect(outcome.claim.known).toBe(false);
    expect(events).toEqual([]);
  });
});
