import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createExamRig, type ExamRig, sumPrograms } from "../../../test/support/exam-rig.ts";
import { regradeAttempt } from "./regrade-attempt.ts";

async function regrade(rig: ExamRig, secrets: readonly string[] = []): ReturnType<typeof regradeAttempt> {
  const [attempt] = await rig.run.attempts();
  const [task] = rig.tasks;
  const [instance] = task?.instances ?? [];
  if (attempt === undefined || task === undefined || instance === undefined)
    throw new RangeError("nothing sat");
  const { bench } = rig;
  return regradeAttempt({
    attempt,
    task,
    instance,
    bench,
    comparabilityKey: "sha256:k",
    because: "a mended grader",
    secrets,
  });
}

test("a mended grader gives the verdict that was owed, beside the first one, without an agent", async () => {
  let broken = true;
  await using rig = await createExamRig({
    programs: { "task-grade": (call) => (broken ? { exit: 1 } : sumPrograms["task-grade"]?.(call)) },
  });
  expect((await rig.conduct()).statuses).toEqual({ verifier_error: 1 });
  const [attempt] = await rig.run.attempts();
  const before = await readFile(join(attempt?.dir ?? "", "result.json"), "utf8");
  broken = false;
  const regraded = await regrade(rig);
  expect(regraded).toMatchObject({ status: "completed", verdict: { score: 1 }, because: "a mended grader" });
  expect(await readFile(join(attempt?.dir ?? "", "result.json"), "utf8")).toBe(before);
  expect((await rig.run.attempts())[0]?.regrades).toHaveLength(1);
  expect(rig.provider.sandboxes.filter((sandbox) => sandbox.id !== "").length).toBe(3);
  // What counts now is the regrade: nothing is left to sit.
  expect((await rig.conduct()).statuses).toEqual({ completed: 1 });
  expect(await rig.run.attempts()).toHaveLength(1);
});

test("a grader that fails again is recorded as failing again", async () => {
  await using rig = await createExamRig({ programs: { "task-grade": () => ({ exit: 1, stderr: "no" }) } });
  await rig.conduct();
  expect(await regrade(rig)).toMatchObject({ status: "verifier_error", verdict: undefined });
});

test("what a grader says of a key does not reach the record of a regrade", async () => {
  await using rig = await createExamRig({
    programs: { "task-grade": () => ({ exit: 1, stderr: "rejected very-secret-key" }) },
  });
  await rig.conduct();
  await regrade(rig, ["very-secret-key"]);
  const [attempt] = await rig.run.attempts();
  const written = await readFile(join(attempt?.dir ?? "", "regrades/1/regrade.json"), "utf8");
  expect(written).toContain("rejected [redacted]");
});

test("an attempt that never came to its artifacts cannot be regraded", async () => {
  await using rig = await createExamRig({ faults: [{ at: "quiesce", kind: "gone" }] });
  await rig.conduct();
  await expect(regrade(rig)).rejects.toMatchObject({ code: "not-collected" });
});
