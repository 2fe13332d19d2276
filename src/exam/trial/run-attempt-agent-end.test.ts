import { describe, expect, test } from "vitest";
import { type ExamRigOptions, sumPrograms } from "../../../test/support/exam-rig.ts";
import { expectTornDown, harnessOf, quiet, sit } from "../../../test/support/trial-rig.ts";
import { known } from "../../contract/absence.ts";
import type { HarnessOutcome, HarnessSession } from "../../harness/harness.ts";
import type { OpenLine } from "../line/trial-line.ts";

const minute = 60_000;

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** A line that carries nothing. */
const quietLine = (onDispose: () => void = () => undefined): OpenLine => ({
  env: {},
  meter: () => undefined,
  close: async () => undefined,
  [Symbol.asyncDispose]: async () => onDispose(),
});

describe("an attempt when the agent ends in its own way", () => {
  const limited = { manifest: { limits: { wall_minutes: 10 } } };

  function scripted(launch: (session: HarnessSession) => Promise<HarnessOutcome>): ExamRigOptions {
    return {
      exam: { contestants: [{ harness: "scripted" }] },
      harnesses: [harnessOf(launch)],
      task: limited,
    };
  }

  test("a timeout is graded on what it left, with what it still said in its grace", async () => {
    const started = Promise.withResolvers<void>();
    const options = scripted(async ({ sandbox, signal }) => {
      await sandbox.writeFile("/home/agent/output/total.txt", "42");
      started.resolve();
      await aborted(signal);
      return { kind: "completed", ...quiet, claim: known({ kind: "partial", message: "nearly" }) };
    });
    await using outcome = await sit(options, async (rig) => {
      await started.promise;
      await rig.clock.advance(10 * minute);
    });
    expect(outcome.result).toMatchObject({ status: "timeout", score: known(1), workingMs: 10 * minute });
    expect(outcome.result.claim).toEqual(known({ kind: "partial", message: "nearly" }));
  });

  test("a harness that ignores its signal is left behind after the grace", async () => {
    const started = Promise.withResolvers<void>();
    const options = scripted(() => {
      started.resolve();
      return new Promise(() => undefined);
    });
    await using outcome = await sit(options, async (rig) => {
      await started.promise;
      await rig.clock.advance(11 * minute);
    });
    expect(outcome.result).toMatchObject({ status: "timeout", score: known(0), usage: { known: false } });
    await expectTornDown(outcome);
  });

  test("a harness left behind can neither touch the machine nor the record any more", async () => {
    const started = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    const options = scripted(async ({ sandbox, signal, emit }) => {
      started.resolve();
      await aborted(signal);
      // It takes no notice, and comes back when the grader runs.
      await grading.promise;
      emit({ type: "note", code: "late", message: "I am still here" });
      late.resolve(
        await sandbox.writeFile("/home/agent/output/total.txt", "42").catch((error: unknown) => error),
      );
      return { kind: "completed", ...quiet };
    });
    const grading = Promise.withResolvers<void>();
    const programs: ExamRigOptions["programs"] = {
      "task-grade": async (call) => {
        grading.resolve();
        await late.promise;
        return sumPrograms["task-grade"]?.(call);
      },
    };
    await using outcome = await sit({ ...options, programs }, async (rig) => {
      await started.promise;
      await rig.clock.advance(10 * minute + 30_000);
    });
    expect(await late.promise).toMatchObject({ code: "sandbox-gone", message: "the agent phase is over" });
    expect(outcome.result).toMatchObject({ status: "timeout", score: known(0) });
    expect(outcome.events).not.toContainEqual(expect.objectContaining({ code: "late" }));
  });

  test("a machine that hangs before the harness is launched does not hold the trial for ever", async () => {
    const hung = Promise.withResolvers<void>();
    const faults = [{ at: "writeFile", role: "agent", kind: "hang", onHang: hung.resolve }] as const;
    await using outcome = await sit({ faults, task: limited }, async (rig) => {
      await hung.promise;
      await rig.clock.advance((10 + 15 + 2) * minute);
    });
    expect(outcome.result).toMatchObject({ status: "env_error", failedPhase: "agent" });
    await expectTornDown(outcome);
  });

  test("a grader that crashes after a timeout makes it the verifier's error", async () => {
    const started = Promise.withResolvers<void>();
    const options = scripted(async ({ signal }) => {
      started.resolve();
      await aborted(signal);
      return { kind: "completed", ...quiet };
    });
    const programs = { "task-grade": () => ({ exit: 1 }) };
    await using outcome = await sit({ ...options, programs }, async (rig) => {
      await started.promise;
      await rig.clock.advance(10 * minute);
    });
    expect(outcome.result.status).toBe("verifier_error");
    expect(outcome.events).toContainEqual(expect.objectContaining({ code: "agent-end", data: "timeout" }));
  });

  test.each([
    ["refused", "refused"],
    ["agent-error", "agent_error"],
  ] as const)("%s is graded all the same", async (kind, status) => {
    await using outcome = await sit(scripted(async () => ({ kind, reason: "no", ...quiet })));
    expect(outcome.result).toMatchObject({ status, reason: "no", score: known(0) });
  });

  test("a harness that throws is our bug, not the contestant's", async () => {
    const options = scripted(async () => {
      throw new RangeError("oops");
    });
    await using outcome = await sit(options);
    expect(outcome.result).toMatchObject({ status: "env_error", failedPhase: "agent" });
    expect(outcome.result.reason).toContain("oops");
  });

  test("a limit that the line sees reached ends the agent, which is graded", async () => {
    const wrote = Promise.withResolvers<void>();
    const options = scripted(async ({ sandbox, signal }) => {
      await sandbox.writeFile("/home/agent/output/total.txt", "42");
      wrote.resolve();
      await aborted(signal);
      return { kind: "completed", ...quiet };
    });
    const closed: string[] = [];
    await using outcome = await sit(options, undefined, async ({ exceed }) => {
      void wrote.promise.then(() => exceed("tokens"));
      return quietLine(() => closed.push("tokens"));
    });
    expect(outcome.result).toMatchObject({
      status: "budget_exceeded",
      reason: "the limit on tokens was reached",
      score: known(1),
    });
    expect(closed).toEqual(["tokens"]);
  });

  test("working time leaves out what the line paused, and has a limit of its own", async () => {
    const started = Promise.withResolvers<void>();
    const options = scripted(async ({ signal }) => {
      started.resolve();
      await aborted(signal);
      return { kind: "completed", ...quiet };
    });
    const task = { manifest: { limits: { wall_minutes: 60, working_minutes: 5 } } };
    let pause: Disposable | undefined;
    await using outcome = await sit(
      { ...options, task },
      async (rig) => {
        await started.promise;
        await rig.clock.advance(20 * minute);
        pause?.[Symbol.dispose]();
        await rig.clock.advance(5 * minute);
      },
      async ({ working }) => {
        pause = working.pause();
        return quietLine();
      },
    );
    expect(outcome.result).toMatchObject({ status: "timeout", workingMs: 5 * minute });
    expect(outcome.result.reason).toBe("the working time of 5 min was over");
  });

  test("the agent is told its deadline and budget, and both are refreshed", async () => {
    const started = Promise.withResolvers<void>();
    const readings: unknown[] = [];
    const options = scripted(async ({ sandbox, signal }) => {
      const read = async (): Promise<void> => {
        const bytes = await sandbox.readFile("/run/ale/budget.json");
        readings.push(JSON.parse(Buffer.from(bytes).toString("utf8")));
      };
      await read();
      started.resolve();
      await aborted(signal);
      await read();
      return { kind: "completed", ...quiet };
    });
    await using _outcome = await sit(options, async (rig) => {
      await started.promise;
      await rig.clock.advance(10 * minute);
    });
    const deadline = new Date(Date.UTC(2026, 0, 1) + 10 * minute).toISOString();
    expect(readings[0]).toMatchObject({ deadline, remaining_seconds: 600 });
    expect(readings[1]).toMatchObject({
      deadline,
      remaining_seconds: expect.toSatisfy((left) => left <= 15),
    });
  });
});
