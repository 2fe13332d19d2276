import { createHash } from "node:crypto";
import { link, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Artifact } from "../contract/artifact.ts";
import { countedGrade } from "./counted-grade.ts";
import { createRun } from "./create-run.ts";
import {
  exampleLock,
  examplePlan,
  exampleResult,
  exampleVerdict,
  steppedClock,
  trialId,
} from "./fixtures/example-run.ts";
import { listRuns } from "./list-runs.ts";
import { openRun } from "./open-run.ts";
import { recordRegrade } from "./record-regrade.ts";
import type { AttemptRecord, RunRecord } from "./run-record.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ale-run-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const clock = steppedClock();
const newRun = (trials = 2): Promise<RunRecord> =>
  createRun({ root, plan: examplePlan(trials), lock: exampleLock, clock });

async function finish(run: RunRecord, repeat: number, artifacts: readonly Artifact[] = []): Promise<string> {
  await using writer = await run.startAttempt(trialId(repeat));
  await writer.writeVerdict(exampleVerdict(0.5));
  const { trial, attempt } = writer;
  await writer.writeResult(exampleResult({ trial, attempt, repeat, artifacts }));
  return writer.dir;
}

async function only(run: RunRecord): Promise<AttemptRecord> {
  const [attempt] = await run.attempts();
  if (attempt === undefined) throw new Error("no attempt");
  return attempt;
}

test("a run is named after its exam and its time in UTC, and reads back as it was made", async () => {
  const run = await newRun();
  expect(run.dir).toMatch(/demo-20261129T150000Z$/);
  const reopened = await openRun(run.dir);
  expect(reopened.plan).toEqual(examplePlan(2));
  expect(reopened.lock).toEqual(exampleLock);
});

test("two runs of the same second get folders of their own", async () => {
  const frozen = { ...clock, now: () => Date.UTC(2026, 10, 29, 15) };
  const options = { root, plan: examplePlan(1), lock: exampleLock, clock: frozen };
  const runs = await Promise.all([createRun(options), createRun(options), createRun(options)]);
  expect(new Set(runs.map((run) => run.dir)).size).toBe(3);
  expect((await listRuns(root)).length).toBe(3);
});

test("attempts are ordered by trial and number, and one without a result does not count", async () => {
  const run = await newRun();
  await finish(run, 2);
  {
    await using cut = await run.startAttempt(trialId(1));
    cut.append({ type: "note", code: "x", message: "cut off here" });
  }
  await finish(run, 1);
  const attempts = await run.attempts();
  expect(attempts.map((attempt) => [attempt.trial, attempt.attempt, attempt.result !== undefined])).toEqual([
    [trialId(1), 1, false],
    [trialId(1), 2, true],
    [trialId(2), 1, true],
  ]);
});

test("nothing that was written is ever overwritten", async () => {
  const run = await newRun();
  await using writer = await run.startAttempt(trialId(1));
  await writer.writeVerdict(exampleVerdict(0));
  await expect(writer.writeVerdict(exampleVerdict(1))).rejects.toMatchObject({ code: "record-exists" });
  await writer.writeResult(exampleResult());
  await expect(writer.writeResult(exampleResult())).rejects.toMatchObject({ code: "record-exists" });
  expect((await only(run)).verdict?.score).toBe(0);
  expect((await readdir(writer.dir)).sort()).toEqual(["events.jsonl", "result.json", "verdict.json"]);
});

test("a result that could not be read back is refused", async () => {
  const run = await newRun();
  await using writer = await run.startAttempt(trialId(1));
  await expect(writer.writeResult(exampleResult({ wallMs: Number.NaN }))).rejects.toMatchObject({
    code: "record-invalid",
  });
  await expect(writer.writeResult(exampleResult({ trial: trialId(2) }))).rejects.toMatchObject({
    code: "record-invalid",
  });
});

test("a damaged file is a problem of its attempt alone", async () => {
  const run = await newRun();
  const dir = await finish(run, 1);
  await finish(run, 2);
  await writeFile(join(dir, "result.json"), '{"schema":');
  const attempts = await run.attempts();
  expect(attempts.map((attempt) => attempt.result !== undefined)).toEqual([false, true]);
  expect(attempts[0]?.problems).toMatchObject([{ code: "record-damaged", severity: "error" }]);
});

test("what is not a run, and a trial that is not planned, are said so", async () => {
  await expect(openRun(root)).rejects.toMatchObject({ code: "run-not-found" });
  const run = await newRun();
  await expect(run.startAttempt("other")).rejects.toMatchObject({ code: "unknown-trial" });
  await expect((await openRun(run.dir)).startAttempt(trialId(1))).rejects.toMatchObject({
    code: "run-read-only",
  });
  await writeFile(join(run.dir, "lock.json"), "{}");
  await expect(openRun(run.dir)).rejects.toMatchObject({ code: "run-damaged" });
});

test("a secret in plan or result is replaced", async () => {
  const secrets = ["very-secret-key"];
  const run = await createRun({
    root,
    plan: examplePlan(1),
    lock: { ...exampleLock, invocation: ["ale", "--key=very-secret-key"] },
    clock,
    secrets,
  });
  expect(run.lock.invocation).toEqual(["ale", "--key=[redacted]"]);
  await using writer = await run.startAttempt(trialId(1));
  await writer.writeResult(exampleResult({ reason: "HTTP 401 for very-secret-key" }));
  expect((await only(run)).result?.reason).toBe("HTTP 401 for [redacted]");
});

test("the last regrade with a verdict counts, and every other stays in the history", async () => {
  const run = await newRun(1);
  await finish(run, 1);
  const attempt = await only(run);
  const regrade = {
    attempt,
    clock,
    because: "grader fixed",
    taskHash: "sha256:3",
    comparabilityKey: "sha256:4",
  };
  await recordRegrade({
    ...regrade,
    status: "completed",
    outcome: { kind: "verdict", verdict: exampleVerdict(1) },
  });
  await recordRegrade({
    ...regrade,
    status: "verifier_error",
    outcome: { kind: "verifier-error", message: "out of memory" },
  });
  await mkdir(join(attempt.dir, "regrades", "3"));
  const after = await only(run);
  expect(after.regrades.map((entry) => [entry.regrade, entry.verdict?.score])).toEqual([
    [1, 1],
    [2, undefined],
  ]);
  expect(after.verdict?.score).toBe(0.5);
  expect(countedGrade({ ...after, result: exampleResult() })).toMatchObject({
    score: { known: true, value: 1 },
    comparabilityKey: "sha256:4",
    regrade: 1,
  });
});

test("equal large artifacts of two attempts are kept once and stay readable under both names", async () => {
  const run = await newRun();
  const bytes = Buffer.alloc(300_000, "ale");
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  const taken: Artifact = { state: "taken", path: "out/big.bin", bytes: bytes.length, digest, mode: 0o644 };
  const paths: string[] = [];
  for (const repeat of [1, 2]) {
    await using writer = await run.startAttempt(trialId(repeat));
    const path = join(await writer.folder("artifacts"), "out", "big.bin");
    await mkdir(join(path, ".."));
    await writeFile(path, bytes);
    const { trial, attempt } = writer;
    await writer.writeResult(exampleResult({ trial, attempt, repeat, artifacts: [taken] }));
    paths.push(path);
  }
  const [first, second] = await Promise.all(paths.map((path) => stat(path)));
  expect(first?.ino).toBe(second?.ino);
  expect(first?.nlink).toBe(3);
});

test("an artifact that is not what its record says is never shared", async () => {
  const run = await newRun();
  await using writer = await run.startAttempt(trialId(1));
  const path = join(await writer.folder("artifacts"), "big.bin");
  await writeFile(path, Buffer.alloc(300_000));
  await link(path, `${path}.other`);
  const taken: Artifact = {
    state: "taken",
    path: "big.bin",
    bytes: 300_000,
    digest: `sha256:${"0".repeat(64)}`,
    mode: 0o644,
  };
  await writer.writeResult(exampleResult({ artifacts: [taken] }));
  expect((await stat(path)).nlink).toBe(2);
});
