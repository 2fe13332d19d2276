import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createExamRig, type ExamRig, sumPrograms } from "../../../test/support/exam-rig.ts";
import type { TaskWorkbench } from "../../task/qc/workbench.ts";
import type { TaskInstance, TaskPackage } from "../../task/task-package.ts";
import { createMemoryTask } from "../../testing/memory-task.ts";
import { createTaskWorkbench } from "./create-task-workbench.ts";
import { createTaskBench } from "./task-bench.ts";

interface Place {
  readonly workbench: TaskWorkbench;
  readonly task: TaskPackage;
  readonly instance: TaskInstance;
}

function placeIn(rig: ExamRig): Place {
  const [task] = rig.tasks;
  const [instance] = task?.instances ?? [];
  if (task === undefined || instance === undefined) throw new RangeError("the rig has no task");
  return { workbench: createTaskWorkbench(rig.bench), task, instance };
}

describe("the workbench", () => {
  test("takes an instance through stage, solve, collect and grade as a trial would", async () => {
    await using rig = await createExamRig();
    const { workbench, task, instance } = placeIn(rig);
    const [solved, taken] = [join(rig.dir, "solved"), join(rig.dir, "taken")];
    expect(await workbench.solve(task, instance, solved)).toEqual({ kind: "done" });
    expect(await readFile(join(solved, "total.txt"), "utf8")).toBe("42");
    expect(await workbench.collect(task, solved, taken)).toMatchObject([
      { state: "taken", path: "total.txt" },
    ]);
    expect(await workbench.grade(task, instance, taken)).toMatchObject({
      kind: "verdict",
      verdict: { score: 1, fullPass: true },
    });
    expect(await rig.provider.list()).toEqual([]);
  });

  test("stages from the package's own files and its generator, cached, and past the cache on request", async () => {
    let runs = 0;
    await using rig = await createExamRig({
      task: { verbs: ["generate", "grade"] },
      programs: {
        "task-generate": ({ files, spec }) => {
          expect([spec.network, spec.labels.role]).toEqual(["off", "generator"]);
          files.write("/ale/result/input/made.txt", `run ${++runs}`);
          return {};
        },
      },
    });
    const { workbench, task, instance } = placeIn(rig);
    const both = await Promise.all([workbench.stage(task, instance), workbench.stage(task, instance)]);
    expect(both[0]).toEqual(both[1]);
    expect((await readdir(both[0].input)).sort()).toEqual(["made.txt", "numbers.txt"]);
    expect(await readdir(both[0].reference)).toEqual(["total.txt"]);
    await using fresh = await workbench.stageAfresh(task, instance);
    expect(await readFile(join(fresh.input, "made.txt"), "utf8")).toBe("run 2");
    expect(await readFile(join(both[0].input, "made.txt"), "utf8")).toBe("run 1");
    // The references in it are for no other user of this machine.
    expect((await stat(join(rig.bench.cacheDir, "instances"))).mode & 0o077).toBe(0);
  });

  test("two processes that stage the same instance at once end with one whole copy", async () => {
    await using rig = await createExamRig({
      task: { verbs: ["generate", "grade"] },
      programs: { "task-generate": () => ({}) },
    });
    const { task, instance } = placeIn(rig);
    const others = Array.from({ length: 4 }, () => createTaskWorkbench(createTaskBench(rig.bench)));
    const staged = await Promise.all(others.map((workbench) => workbench.stage(task, instance)));
    expect(new Set(staged.map(({ input }) => input)).size).toBe(1);
    expect(await readdir(join(rig.bench.cacheDir, "drafts"))).toEqual([]);
  });

  test("makes probes, with the score each must get", async () => {
    const listed = [{ name: "off-by-one", kind: "near-miss", expected: 0, because: "sums are exact" }];
    await using rig = await createExamRig({
      task: { verbs: ["grade", "solve", "probe"] },
      programs: {
        "task-probe": ({ files }) => {
          files.write("/ale/result/probes/off-by-one/total.txt", "43");
          files.write("/ale/result/probes.json", JSON.stringify(listed));
          return {};
        },
      },
    });
    const { workbench, task, instance } = placeIn(rig);
    const oracle = join(rig.dir, "oracle");
    await mkdir(oracle);
    const into = join(rig.dir, "probes");
    expect(await workbench.probes(task, instance, oracle, into)).toEqual({
      kind: "made",
      probes: [{ ...listed[0], dir: join(into, "off-by-one") }],
    });
    expect(await readFile(join(into, "off-by-one", "total.txt"), "utf8")).toBe("43");
  });

  test("grades with network off, a fixed environment and everything read-only", async () => {
    let seen: unknown;
    await using rig = await createExamRig({
      programs: {
        "task-grade": (call) => {
          const { spec } = call;
          seen = { network: spec.network, env: spec.env, mounts: spec.mounts.map((mount) => mount.target) };
          return sumPrograms["task-grade"]?.(call);
        },
      },
    });
    const { workbench, task, instance } = placeIn(rig);
    await workbench.grade(task, instance, join(rig.dir, "task", "input"));
    expect(seen).toMatchObject({
      network: "off",
      env: {
        TZ: "UTC",
        LC_ALL: "C.UTF-8",
        SOURCE_DATE_EPOCH: "1735689600",
        PYTHONHASHSEED: "0",
        ALE_SEED: "0",
      },
      mounts: expect.arrayContaining([
        "/ale/artifacts",
        "/ale/input",
        "/ale/reference",
        "/ale/runtime/tasks/task",
      ]),
    });
  });
});

describe("a sealed package", () => {
  async function sealedRig(withKey: boolean): Promise<ExamRig & { readonly opened: string[] }> {
    const rig = await createExamRig({
      tasks: (dir) => [createMemoryTask({ dir: join(dir, "..", "sealed"), sealed: true })],
    });
    const plain = join(rig.dir, "task");
    await mkdir(join(rig.dir, "sealed", "staged", "small"), { recursive: true });
    await writeFile(join(rig.dir, "sealed", "staged", "small", "numbers.txt"), "1\n2\n39\n");
    const opened: string[] = [];
    const bench = createTaskBench({
      ...rig.bench,
      ...(withKey
        ? {
            unseal: async (_task: TaskPackage, into: string) => {
              opened.push(into);
              const { cp } = await import("node:fs/promises");
              await cp(plain, into, { recursive: true });
              return createMemoryTask({ dir: into });
            },
          }
        : {}),
    });
    return { ...rig, bench, opened };
  }

  test("is sat without its key up to the grading, which says what is missing", async () => {
    const rig = await sealedRig(false);
    await using _rig = rig;
    const summary = await rig.conduct({ bench: rig.bench });
    expect(summary.statuses).toEqual({ env_error: 1 });
    const [attempt] = await rig.run.attempts();
    expect(attempt?.result?.reason).toContain("sealed, and there is no key");
  });

  test("is opened with the key only when needed, and leaves nothing in plain behind", async () => {
    const rig = await sealedRig(true);
    await using _rig = rig;
    expect((await rig.conduct({ bench: rig.bench })).statuses).toEqual({ completed: 1 });
    const [attempt] = await rig.run.attempts();
    expect(attempt?.result?.score).toEqual({ known: true, value: 1 });
    for (const place of rig.opened) await expect(stat(place)).rejects.toThrow("ENOENT");
    expect(await readdir(rig.bench.tempDir)).toEqual([]);
    await expect(stat(join(rig.bench.cacheDir, "instances"))).rejects.toThrow("ENOENT");
    await rm(join(rig.dir, "sealed"), { recursive: true });
  });
});
