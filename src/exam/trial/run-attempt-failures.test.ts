import { describe, expect, test } from "vitest";
import { expectTornDown, sit } from "../../../test/support/trial-rig.ts";
import { known } from "../../contract/absence.ts";
import type { TrialPhase } from "../../contract/trial-phase.ts";
import type { FaultPoint } from "../../testing/memory-sandbox/memory-faults.ts";
import { hangProgram } from "../../testing/memory-sandbox/memory-program.ts";

const minute = 60_000;

const house: readonly [string, FaultPoint, "agent" | "verifier", TrialPhase, string][] = [
  ["the machine cannot be made", "create", "agent", "provision", "env_error"],
  ["the input cannot be put on it", "upload", "agent", "setup", "env_error"],
  ["the baseline cannot be drawn", "markBaseline", "agent", "setup", "env_error"],
  ["the machine is lost under the agent", "spawn", "agent", "agent", "env_error"],
  ["it cannot be quiesced", "quiesce", "agent", "quiesce", "env_error"],
  ["its outputs cannot be read", "download", "agent", "collect", "env_error"],
  ["the grader's machine cannot be made", "create", "verifier", "verify", "verifier_error"],
  ["the grader cannot be started", "exec", "verifier", "verify", "verifier_error"],
  ["the verdict cannot be read", "readFile", "verifier", "verify", "verifier_error"],
];

/** By default, in milliseconds. The grace of ten seconds comes on top where work ignores its signal. */
const limits: Readonly<Record<string, number>> = {
  provision: 10 * minute,
  setup: 30 * minute,
  agent: 10 * minute,
  quiesce: 2 * minute,
  collect: 10 * minute,
  verify: 7 * minute,
};

describe("an attempt when the house fails", () => {
  test.each(house)("is the house's failure, torn down once: %s", async (_name, at, role, phase, status) => {
    for (const kind of ["gone", "throw"] as const) {
      if (kind === "throw" && at === "spawn") continue;
      await using outcome = await sit({ faults: [{ at, role, kind }] });
      expect(outcome.result).toMatchObject({ status, failedPhase: phase, score: { known: false } });
      expect(outcome.result.reason).toContain("injected");
      await expectTornDown(outcome);
    }
  });

  test.each(house)("goes on after the phase's limit when the work hangs: %s", async (...row) => {
    const [, at, role, phase, status] = row;
    const hung = Promise.withResolvers<void>();
    const faults = [{ at, role, kind: "hang", onHang: hung.resolve } as const];
    await using outcome = await sit(
      { faults, task: { manifest: { limits: { wall_minutes: 10 } } } },
      async (rig) => {
        await hung.promise;
        await rig.clock.advance((limits[phase] ?? 0) + 11_000);
      },
    );
    const expected = phase === "agent" ? "timeout" : status;
    expect(outcome.result).toMatchObject({ status: expected, failedPhase: phase });
    await expectTornDown(outcome);
  });

  test.each(house)("is cancelled on request while the work hangs: %s", async (_name, at, role, phase) => {
    const hung = Promise.withResolvers<void>();
    await using outcome = await sit(
      { faults: [{ at, role, kind: "hang", onHang: hung.resolve }] },
      async (rig, stop) => {
        await hung.promise;
        stop.abort();
        await rig.clock.advance(minute);
      },
    );
    expect(outcome.result).toMatchObject({ status: "cancelled", failedPhase: phase });
    expect(outcome.events.at(-1)).toMatchObject({ type: "attempt-ended", status: "cancelled" });
    await expectTornDown(outcome);
  });

  test("a teardown that fails is a note, and the result stands", async () => {
    await using outcome = await sit({ faults: [{ at: "dispose", role: "agent", kind: "throw" }] });
    expect(outcome.result).toMatchObject({ status: "completed", score: known(1) });
    expect(outcome.events).toContainEqual(expect.objectContaining({ type: "note", code: "teardown-failed" }));
  });

  test("a teardown that hangs is given up after its own deadline, and the result stands", async () => {
    const hung = Promise.withResolvers<void>();
    const faults = [{ at: "dispose", role: "agent", kind: "hang", onHang: hung.resolve }] as const;
    await using outcome = await sit({ faults }, async (rig) => {
      await hung.promise;
      await rig.clock.advance(3 * minute);
    });
    expect(outcome.result).toMatchObject({ status: "completed", score: known(1) });
    expect(outcome.events).toContainEqual(expect.objectContaining({ code: "teardown-failed" }));
  });
});

describe("an attempt when the task fails", () => {
  test.each([
    ["generate", "task_error", "setup"],
    ["setup", "task_error", "setup"],
    ["collect", "task_error", "collect"],
    ["grade", "verifier_error", "verify"],
  ] as const)("says so when its %s exits with an error, quoting it", async (verb, status, failedPhase) => {
    await using outcome = await sit({
      task: { verbs: ["grade", "solve", verb] },
      programs: { [`task-${verb}`]: () => ({ exit: 3, stderr: "it broke\n" }) },
    });
    expect(outcome.result).toMatchObject({ status, failedPhase });
    expect(outcome.result.reason).toMatch(/exit 3: it broke/);
    await expectTornDown(outcome);
  });

  test("tells no secret that it said, neither in the record nor on the screen", async () => {
    await using outcome = await sit({
      secrets: ["sk-very-secret"],
      task: { verbs: ["grade", "solve", "setup"] },
      programs: { "task-setup": () => ({ exit: 3, stderr: "refused: sk-very-secret\n" }) },
    });
    const shown = outcome.rig.events.flatMap((event) =>
      event.type === "trial-ended" ? event.result.reason : [],
    );
    expect(shown).toEqual(["the task's setup failed: exit 3: refused: [redacted]"]);
    expect(outcome.result.reason).toBe(shown[0]);
  });

  test.each([
    ["no verdict", undefined],
    ["text that is no JSON", "{"],
    ["a score above 1", JSON.stringify({ schema: "ale/verdict@1", score: 2 })],
  ])("never takes %s for a score", async (_name, verdict) => {
    await using outcome = await sit({
      programs: {
        "task-grade": ({ files }) => {
          if (verdict !== undefined) files.write("/ale/result/verdict.json", verdict);
          return {};
        },
      },
    });
    expect(outcome.result).toMatchObject({ status: "verifier_error", score: { known: false } });
  });

  test("a grader over its own limit is stopped", async () => {
    const started = Promise.withResolvers<void>();
    await using outcome = await sit(
      {
        programs: {
          "task-grade": (call) => {
            started.resolve();
            return hangProgram(call);
          },
        },
      },
      async (rig) => {
        await started.promise;
        await rig.clock.advance(301_000);
      },
    );
    expect(outcome.result.status).toBe("verifier_error");
    expect(outcome.result.reason).toContain("timed out after 300 s");
    await expectTornDown(outcome);
  });
});
