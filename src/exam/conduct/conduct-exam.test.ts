import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createExamRig } from "../../../test/support/exam-rig.ts";
import { known, unknown } from "../../contract/absence.ts";
import { noUsage } from "../../contract/usage.ts";
import type { Harness } from "../../harness/harness.ts";
import type { SandboxProvider } from "../../sandbox/provider.ts";
import type { MemoryProgram } from "../../testing/memory-sandbox/memory-program.ts";
import { createMemoryTask } from "../../testing/memory-task.ts";

/** Fails the first `count` times it is run, then does as the other program. */
function failingAtFirst(count: number, program: MemoryProgram): MemoryProgram {
  let runs = 0;
  return (call) => (++runs <= count ? { exit: 9 } : program(call));
}

const gradeOne: MemoryProgram = ({ files }) => {
  const verdict = { score: 1, fullPass: true, method: "checklist", checks: [], stages: [], gates: [] };
  files.write("/ale/result/verdict.json", JSON.stringify({ schema: "ale/verdict@1", ...verdict }));
  return {};
};

describe("conductExam", () => {
  test("sits every trial, grades it, records it and leaves no sandbox behind", async () => {
    await using rig = await createExamRig({
      exam: { contestants: [{ harness: "oracle" }, { harness: "nop" }, { harness: "bluffer" }], repeats: 2 },
    });
    const summary = await rig.conduct();
    expect(summary).toMatchObject({ end: "finished", planned: 6, finished: 6, statuses: { completed: 6 } });
    const attempts = await rig.run.attempts();
    const scores = attempts.map(({ result }) => [result?.contestant.name, result?.score]);
    expect(scores.filter(([name]) => name === "oracle")).toEqual(Array(2).fill(["oracle", known(1)]));
    expect(scores.filter(([name]) => name !== "oracle").map(([, score]) => score)).toEqual(
      Array(4).fill(known(0)),
    );
    expect(await rig.provider.list()).toEqual([]);
  });

  test("goes on only with the machines the run was made for, also where they are chosen anew", async () => {
    await using rig = await createExamRig({});
    const { provider } = rig;
    const choosing = (name: string): SandboxProvider => ({
      name: "auto",
      chosenFor: () => Promise.resolve(name),
      preflight: () => provider.preflight(),
      create: (spec, signal) => provider.create(spec, signal),
      list: () => provider.list(),
      reap: () => provider.reap(),
    });
    await expect(
      rig.conduct({ bench: { ...rig.bench, provider: choosing("container") } }),
    ).rejects.toMatchObject({
      code: "provider-changed",
      message: expect.stringContaining(`of the provider ${provider.name} `) as string,
    });
    const summary = await rig.conduct({ bench: { ...rig.bench, provider: choosing(provider.name) } });
    expect(summary).toMatchObject({ end: "finished" });
  });

  test("generates an instance once for all of its trials", async () => {
    let generated = 0;
    await using rig = await createExamRig({
      exam: { repeats: 5 },
      task: { verbs: ["generate", "grade", "solve"] },
      programs: {
        "task-generate": ({ files }) => {
          generated++;
          files.write("/ale/result/input/more.txt", "x");
          return {};
        },
      },
    });
    expect(await rig.conduct()).toMatchObject({ statuses: { completed: 5 } });
    expect(generated).toBe(1);
  });

  test("keeps to its capacity by kind, and reaches it", async () => {
    await using rig = await createExamRig({
      exam: { repeats: 12 },
      task: { manifest: { sandbox: { cpus: 2, memory_mb: 1024 } } },
    });
    await rig.conduct({ capacity: { trials: 100, cpus: 6, verifiers: 1 } });
    const live = new Map<string, string>();
    let agents = 0;
    let verifiers = 0;
    for (const { sandbox, role, method } of rig.provider.calls) {
      if (method === "create") live.set(sandbox, role);
      if (method === "dispose") live.delete(sandbox);
      agents = Math.max(agents, [...live.values()].filter((kind) => kind === "agent").length);
      verifiers = Math.max(verifiers, [...live.values()].filter((kind) => kind === "verifier").length);
    }
    expect([agents, verifiers]).toEqual([3, 1]);
  });

  test("a second run sits nothing that is finished", async () => {
    await using rig = await createExamRig({ exam: { repeats: 3 } });
    await rig.conduct();
    const again = await rig.conduct();
    expect(again).toMatchObject({ end: "finished", finished: 3 });
    expect(rig.events.findLast((event) => event.type === "exam-started")).toMatchObject({
      planned: 3,
      done: 3,
    });
    expect(await rig.run.attempts()).toHaveLength(3);
  });

  test("an attempt that was cut off stays as evidence, and a new one is made", async () => {
    await using rig = await createExamRig();
    const [trial] = rig.plan.trials;
    const cut = await rig.run.startAttempt(trial?.id ?? "");
    await cut[Symbol.asyncDispose]();
    await rig.conduct();
    const attempts = await rig.run.attempts();
    expect(attempts.map(({ attempt, result }) => [attempt, result?.status])).toEqual([
      [1, undefined],
      [2, "completed"],
    ]);
  });

  test("reruns by status, and nothing else", async () => {
    await using rig = await createExamRig({
      exam: { contestants: [{ harness: "oracle" }, { harness: "command", settings: { argv: ["false"] } }] },
      programs: { false: () => ({ exit: 1 }) },
    });
    expect(await rig.conduct()).toMatchObject({ statuses: { completed: 1, agent_error: 1 } });
    await rig.conduct({ rerun: ["agent_error"] });
    const attempts = await rig.run.attempts();
    expect(attempts.map(({ result }) => [result?.contestant.name, result?.attempt]).sort()).toEqual([
      ["command", 1],
      ["command", 2],
      ["oracle", 1],
    ]);
  });

  test("retries what is not the contestant's, after growing pauses, and keeps every attempt", async () => {
    await using rig = await createExamRig({
      exam: { retry: { attempts: 3, backoff_seconds: 10 } },
      programs: { "task-grade": failingAtFirst(2, gradeOne) },
    });
    const conducted = rig.conduct();
    for (const pause of [10_000, 20_000]) {
      while (!rig.events.some((event) => event.type === "retry-scheduled" && event.delayMs === pause)) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      await rig.clock.advance(pause);
    }
    expect(await conducted).toMatchObject({ statuses: { completed: 1 } });
    const attempts = await rig.run.attempts();
    expect(attempts.map(({ result }) => result?.status)).toEqual([
      "verifier_error",
      "verifier_error",
      "completed",
    ]);
  });

  test("never retries what is the contestant's", async () => {
    await using rig = await createExamRig({
      exam: { contestants: [{ harness: "command", settings: { argv: ["false"] } }], retry: { attempts: 5 } },
      programs: { false: () => ({ exit: 1 }) },
    });
    await rig.conduct();
    expect(await rig.run.attempts()).toHaveLength(1);
  });

  test("the first interrupt cancels what runs, admits nothing more, and a resume makes it good", async () => {
    let block = true;
    const started = Promise.withResolvers<void>();
    await using rig = await createExamRig({
      exam: { repeats: 4, contestants: [{ harness: "command", settings: { argv: ["work"] } }] },
      programs: {
        work: ({ signal }) => {
          if (!block) return {};
          started.resolve();
          return new Promise((resolve) => signal.addEventListener("abort", () => resolve({})));
        },
      },
    });
    const stop = new AbortController();
    const conducted = rig.conduct({ stop: stop.signal, capacity: { trials: 1 } });
    await started.promise;
    stop.abort();
    expect(await conducted).toMatchObject({ end: "stopped", finished: 0, statuses: { cancelled: 1 } });
    expect(await rig.provider.list()).toEqual([]);
    block = false;
    expect(await rig.conduct()).toMatchObject({ end: "finished", finished: 4, statuses: { completed: 4 } });
  });

  test("the second interrupt returns at once, whatever hangs", async () => {
    const hung = Promise.withResolvers<void>();
    await using rig = await createExamRig({
      faults: [{ at: "quiesce", role: "agent", kind: "hang", onHang: hung.resolve }],
    });
    const [stop, atOnce] = [new AbortController(), new AbortController()];
    const conducted = rig.conduct({ stop: stop.signal, atOnce: atOnce.signal });
    await hung.promise;
    stop.abort();
    atOnce.abort();
    expect(await conducted).toMatchObject({ end: "abandoned", finished: 0 });
    // The trial that was left behind still ends in this process, and only then may its record go.
    await rig.clock.untilSleeping(1);
    await rig.clock.advance(10_000);
    while (!rig.events.some((event) => event.type === "trial-ended")) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  test("stops admitting when the budget is spent", async () => {
    const dear: Harness = {
      name: "dear",
      summary: "costs a dollar",
      version: async () => "1",
      preflight: async () => [],
      needs: async () => ({ mounts: [], env: {} }),
      launch: async () => ({
        kind: "completed",
        usage: known(noUsage),
        costUsd: known(1),
        claim: unknown("silent"),
      }),
    };
    await using rig = await createExamRig({
      exam: { contestants: [{ harness: "dear" }], repeats: 10, budget: { cost_usd: 3 } },
      harnesses: [dear],
    });
    const summary = await rig.conduct({ capacity: { trials: 1 } });
    expect(summary).toMatchObject({ end: "budget-spent", finished: 3, costUsd: 3 });
  });

  test("counts what an attempt had cost when it was cut off", async () => {
    await using rig = await createExamRig({ exam: { repeats: 3, budget: { cost_usd: 2 } } });
    const cut = await rig.run.startAttempt(rig.plan.trials[0]?.id ?? "");
    const call = JSON.stringify({ seq: 1, costUsd: known(1) });
    const unpriced = JSON.stringify({ seq: 2, costUsd: unknown("no price") });
    await writeFile(join(cut.dir, "calls.jsonl"), `${call}\n${unpriced}\n${call}\n${call.slice(0, -4)}`);
    await cut[Symbol.asyncDispose]();
    expect(await rig.conduct()).toMatchObject({ end: "budget-spent", finished: 0, costUsd: 2 });
  });

  test("refuses a package that has changed since the run was made", async () => {
    await using rig = await createExamRig();
    const changed = createMemoryTask({ dir: join(rig.dir, "task"), contentHash: `sha256:${"f".repeat(64)}` });
    await expect(rig.conduct({ tasks: [changed] })).rejects.toMatchObject({ code: "task-changed" });
  });

  test("refuses a run that another conductor holds, and takes over from a dead one", async () => {
    await using rig = await createExamRig();
    const started = Promise.withResolvers<void>();
    const first = rig.conduct({ onProgress: () => started.resolve() });
    await started.promise;
    await expect(rig.conduct()).rejects.toMatchObject({ code: "run-locked" });
    await first;
    const { hostname } = await import("node:os");
    const dead = { host: hostname(), pid: 2 ** 22 + 1, started: "1" };
    await writeFile(join(rig.run.dir, "conductors", "7"), JSON.stringify(dead));
    expect(await rig.conduct()).toMatchObject({ end: "finished" });
  });

  test("a harness nobody knows is named, with those there are", async () => {
    await using rig = await createExamRig({ exam: { contestants: [{ harness: "nobody" }] } });
    await expect(rig.conduct()).rejects.toMatchObject({
      code: "unknown-harness",
      remedy: "Take one of: bluffer, command, nop, oracle.",
    });
  });
});
