import { describe, expect, test } from "vitest";
import {
  createExamRig,
  type ExamRig,
  type ExamRigOptions,
  sumPrograms,
} from "../../../test/support/exam-rig.ts";
import { known, unknown } from "../../contract/absence.ts";
import type { TrialEvent } from "../../contract/trial-event.ts";
import { type TrialPhase, trialPhases } from "../../contract/trial-phase.ts";
import type { TrialResult } from "../../contract/trial-result.ts";
import { noUsage } from "../../contract/usage.ts";
import type { Harness, HarnessOutcome, HarnessSession } from "../../harness/harness.ts";
import type { FaultPoint } from "../../testing/memory-sandbox/memory-faults.ts";
import { hangProgram } from "../../testing/memory-sandbox/memory-program.ts";
import { type LineOpener, noLine, type OpenLine, type TrialLine } from "../line/trial-line.ts";

const minute = 60_000;
const quiet = { usage: known(noUsage), costUsd: known(0), claim: unknown("silent") } as const;

function harnessOf(launch: (session: HarnessSession) => Promise<HarnessOutcome>): Harness {
  return {
    name: "scripted",
    summary: "does what a test says",
    version: async () => "1",
    preflight: async () => [],
    needs: async () => ({ mounts: [], env: {} }),
    launch,
  };
}

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

interface Outcome {
  readonly result: TrialResult;
  readonly events: readonly TrialEvent[];
  readonly rig: ExamRig;
}

/** Sits one trial; `meanwhile` runs beside it, to move the clock or to cancel. */
async function sit(
  options: ExamRigOptions,
  meanwhile: (rig: ExamRig, stop: AbortController) => Promise<void> = async () => undefined,
  open?: TrialLine["open"],
): Promise<Outcome & AsyncDisposable> {
  const rig = await createExamRig(options);
  const stop = new AbortController();
  const lines: LineOpener = async (request) => {
    const line = await noLine(request);
    return open === undefined ? line : { ...line, open };
  };
  const conducted = rig.conduct({ stop: stop.signal, lines });
  await meanwhile(rig, stop);
  await conducted;
  const [attempt] = await rig.run.attempts();
  if (attempt?.result === undefined) throw new RangeError("no result was recorded");
  const events = await Array.fromAsync(attempt.events());
  return { result: attempt.result, events, rig, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

/** Every sandbox that was made has been disposed of, once. */
async function expectTornDown({ rig }: Outcome): Promise<void> {
  const disposals = rig.provider.calls
    .filter((call) => call.method === "dispose")
    .map((call) => call.sandbox);
  expect(disposals.sort()).toEqual(rig.provider.sandboxes.map((sandbox) => sandbox.id).sort());
  expect(await rig.provider.list()).toEqual([]);
}

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
      await rig.clock.advance(11 * minute + 20_000);
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

test("a whole attempt notes every phase once, in order, started and ended", async () => {
  await using outcome = await sit({
    task: { verbs: ["generate", "setup", "collect", "grade", "solve"] },
    programs: {
      "task-generate": () => ({}),
      "task-setup": () => ({}),
      "task-collect": () => ({}),
    },
  });
  const phases = outcome.events.filter((event) => event.type === "phase-started").map(({ phase }) => phase);
  expect(phases).toEqual(trialPhases);
  const ended = outcome.events.filter((event) => event.type === "phase-ended");
  expect(ended.map(({ phase, outcome: end }) => [phase, end])).toEqual(
    trialPhases.map((phase) => [phase, "ok"]),
  );
  expect(outcome.result).toMatchObject({ status: "completed", reason: "", fullPass: known(true) });
});

test("setup and collect run as root, setup alone with the host's network, and the package is gone before the agent", async () => {
  const seen: unknown[] = [];
  await using _outcome = await sit({
    exam: { contestants: [{ harness: "scripted" }] },
    harnesses: [
      harnessOf(async ({ sandbox }) => {
        seen.push(["agent", await sandbox.stat("/ale/runtime/tasks/task")]);
        return { kind: "completed", ...quiet };
      }),
    ],
    task: { verbs: ["setup", "collect", "grade", "solve"] },
    programs: {
      "task-setup": ({ options, files }) => {
        seen.push([
          "setup",
          options.user,
          options.network,
          files.paths().includes("/ale/runtime/tasks/task"),
        ]);
        return {};
      },
      "task-collect": ({ options }) => {
        seen.push(["collect", options.user, options.network ?? "sandbox"]);
        return {};
      },
    },
  });
  expect(seen).toEqual([
    ["setup", "root", "host", true],
    ["agent", undefined],
    ["collect", "root", "sandbox"],
  ]);
});

test("the oracle's machine has the package mounted for good, so its setup and collect put none there", async () => {
  const seen: unknown[] = [];
  await using outcome = await sit({
    task: { verbs: ["setup", "collect", "grade", "solve"] },
    programs: {
      "task-setup": ({ files }) => {
        seen.push(["setup", files.paths().includes("/ale/runtime/tasks/task")]);
        return {};
      },
      "task-collect": ({ files }) => {
        seen.push(["collect", files.paths().includes("/ale/runtime/tasks/task")]);
        return {};
      },
    },
  });
  expect(seen).toEqual([
    ["setup", false],
    ["collect", false],
  ]);
  expect(outcome.result).toMatchObject({ status: "completed", fullPass: known(true) });
});
