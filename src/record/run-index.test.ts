import { cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parse } from "csv-parse/sync";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRun } from "./create-run.ts";
import { exportCsv, exportJsonLines } from "./export-results.ts";
import {
  exampleLock,
  examplePlan,
  exampleResult,
  exampleVerdict,
  steppedClock,
  trialId,
} from "./fixtures/example-run.ts";
import { recordRegrade } from "./record-regrade.ts";
import { type ResultRow, resultRow } from "./result-row.ts";
import { readIndex } from "./run-index.ts";
import type { RunRecord } from "./run-record.ts";

let root: string;
let run: RunRecord;
const clock = steppedClock();

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ale-index-"));
  run = await createRun({ root, plan: examplePlan(3), lock: exampleLock, clock });
  for (const repeat of [1, 2]) await finish(repeat);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function finish(repeat: number): Promise<void> {
  await using writer = await run.startAttempt(trialId(repeat));
  const { trial, attempt } = writer;
  await writer.writeResult(exampleResult({ trial, attempt, repeat, reason: 'said "no",\nthen stopped' }));
}

async function rowsFromFiles(): Promise<readonly ResultRow[]> {
  return (await run.attempts()).map(resultRow).filter((row) => row !== undefined);
}

test("the index gives the rows that the files give", async () => {
  const { rows, refresh } = await readIndex(run.dir);
  expect(rows).toEqual(await rowsFromFiles());
  expect((await readIndex(run.dir)).rows).toEqual(rows);
  expect(refresh).toEqual({ attempts: 2, read: 2, rebuilt: true, inMemory: false });
});

test("only what is new or changed is read again", async () => {
  await readIndex(run.dir);
  expect((await readIndex(run.dir)).refresh.read).toBe(0);
  await finish(3);
  expect((await readIndex(run.dir)).refresh).toMatchObject({ attempts: 3, read: 1, rebuilt: false });
  const [attempt] = await run.attempts();
  if (attempt === undefined) throw new Error("no attempt");
  await recordRegrade({
    attempt,
    clock,
    because: "grader fixed",
    taskHash: "sha256:3",
    comparabilityKey: "sha256:4",
    status: "completed",
    outcome: { kind: "verdict", verdict: exampleVerdict(1) },
  });
  const { rows, refresh } = await readIndex(run.dir);
  expect(refresh.read).toBe(1);
  expect(rows[0]).toMatchObject({ score: 1, fullPass: true, regrade: 1 });
  expect(rows).toEqual(await rowsFromFiles());
});

test("a damaged result is no row, is told of each time with its path, and is a row again once it is mended", async () => {
  const [attempt] = await run.attempts();
  const path = join(attempt?.dir ?? "", "result.json");
  const whole = await readFile(path);
  await writeFile(path, "{");
  for (const read of [2, 1]) {
    const { rows, problems, refresh } = await readIndex(run.dir);
    expect([rows.length, refresh.read]).toEqual([1, read]);
    expect(problems).toMatchObject([{ severity: "error", code: "record-damaged", path }]);
  }
  await writeFile(path, whole);
  expect(await readIndex(run.dir)).toMatchObject({ rows: [{}, {}], problems: [] });
});

test("a file changed to another of the same size is read again, and an index copied with its run is not believed", async () => {
  await readIndex(run.dir);
  const [attempt] = await run.attempts();
  const path = join(attempt?.dir ?? "", "result.json");
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace('"value": 0.5', '"value": 0.7'));
  expect((await readIndex(run.dir)).rows[0]?.score).toBe(0.7);
  const copy = join(root, "copy");
  await cp(run.dir, copy, { recursive: true, preserveTimestamps: true });
  const { rows, refresh } = await readIndex(copy);
  expect([refresh.read, rows[0]?.dir.startsWith(copy)]).toEqual([2, true]);
});

test("an attempt that was cut off is no row, and one that is gone leaves the index", async () => {
  {
    await using _cut = await run.startAttempt(trialId(3));
  }
  expect((await readIndex(run.dir)).rows).toHaveLength(2);
  await rm(join(run.dir, "trials", trialId(1)), { recursive: true });
  expect((await readIndex(run.dir)).rows.map((row) => row.repeat)).toEqual([2]);
});

test("an index that is deleted, damaged or of another version is rebuilt", async () => {
  const path = join(run.dir, "index.sqlite");
  const { rows } = await readIndex(run.dir);
  const breakages: (() => Promise<void>)[] = [
    () => rm(path),
    () => writeFile(path, "not a database, and long enough to be looked at ".repeat(100)),
    () => truncate(path, 5000),
    async () => {
      const database = new DatabaseSync(path);
      database.exec("DROP TABLE attempts; CREATE TABLE attempts (old TEXT); PRAGMA user_version = 999");
      database.close();
    },
  ];
  for (const damage of breakages) {
    await damage();
    const again = await readIndex(run.dir);
    expect(again.rows).toEqual(rows);
    expect(again.refresh.read).toBe(2);
  }
});

test("a run whose index cannot be written is read all the same", async () => {
  await mkdir(join(run.dir, "index.sqlite"));
  const { rows, refresh } = await readIndex(run.dir);
  expect(rows).toHaveLength(2);
  expect(refresh.inMemory).toBe(true);
});

test("the export is one row a line in JSON, and quoted as RFC 4180 asks in CSV", async () => {
  const { rows } = await readIndex(run.dir);
  const lines = (await Array.fromAsync(exportJsonLines(rows))).join("").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(rows);

  const csv = (await Array.fromAsync(exportCsv(rows))).join("");
  const parsed = parse(csv, { columns: true }) as Record<string, string>[];
  expect(parsed).toHaveLength(2);
  expect(parsed[0]).toMatchObject({
    trial: trialId(1),
    reason: 'said "no",\nthen stopped',
    score: "0.5",
    fullPass: "false",
    costUsd: "",
    costUsdReason: "the model has no price",
    "tokens.input": "120",
  });
});
