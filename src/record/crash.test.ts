import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRandom } from "../contract/random.ts";
import { createRun } from "./create-run.ts";
import { exampleLock, examplePlan, steppedClock, trialId } from "./fixtures/example-run.ts";
import { listRuns } from "./list-runs.ts";
import { openRun } from "./open-run.ts";
import { readEvents } from "./read-events.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ale-crash-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const fixture = (name: string): string => join(import.meta.dirname, "fixtures", name);

/** Starts the writer and kills it after so many lines of output; returns the lines it got out. */
async function writeAndDie(args: readonly string[], lines: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [fixture("crash-writer.ts"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => {
    said.push(line);
    if (said.length === lines) child.kill("SIGKILL");
  });
  await Promise.all([once(child, "exit"), once(reader, "close")]);
  return said;
}

test("a writer killed at any moment loses nothing it had called durable, and the run is written on", async () => {
  const random = createRandom("crash");
  const promised = new Map<string, number>();
  const finished = new Set<string>();
  let dir: string | undefined;
  for (let death = 0; death < 6; death++) {
    const said = await writeAndDie(dir === undefined ? [root] : [root, dir], random.integer(2, 60));
    for (const line of said) {
      const [word, trial = "", attempt, count] = line.split(" ");
      if (word === "run") dir = trial;
      if (word === "events") promised.set(`${trial}/${attempt}`, Number(count));
      if (word === "finished") finished.add(`${trial}/${attempt}`);
    }
    if (dir === undefined) throw new Error("the writer never made its run");

    const found = new Set<string>();
    for (const record of await (await openRun(dir)).attempts()) {
      const key = `${record.trial}/${record.attempt}`;
      expect(record.problems).toEqual([]);
      const sequence = (await Array.fromAsync(record.events())).map((event) => event.seq);
      expect(sequence).toEqual(sequence.map((_, index) => index + 1));
      expect(sequence.length).toBeGreaterThanOrEqual(promised.get(key) ?? 0);
      if (record.result !== undefined) {
        found.add(key);
        expect(record.verdict?.score).toBe(1);
      }
    }
    for (const key of finished) expect(found).toContain(key);
  }
});

test("a run that cannot be made leaves nothing behind, and the draft a death left is in no list", async () => {
  const options = { root, plan: examplePlan(1), lock: exampleLock, clock: steppedClock() };
  const broken = { ...exampleLock, node: "" };
  await expect(createRun({ ...options, lock: broken })).rejects.toMatchObject({ code: "record-invalid" });
  expect(await readdir(root)).toEqual([]);
  await mkdir(join(root, ".new-run-abc123"));
  await writeFile(join(root, ".new-run-abc123", "exam.json"), "{}");
  const run = await createRun(options);
  expect(await listRuns(root)).toEqual([run.dir]);
});

test("processes that claim attempts of one trial at the same time never get the same number", async () => {
  const run = await createRun({ root, plan: examplePlan(1), lock: exampleLock, clock: steppedClock() });
  const claims = await Promise.all(
    [1, 2, 3].map(async () => {
      const child = spawn(process.execPath, [fixture("claim-attempts.ts"), run.dir, "15"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      return (await Array.fromAsync(createInterface({ input: child.stdout }))).map(Number);
    }),
  );
  expect(claims.flat().sort((first, second) => first - second)).toEqual(
    Array.from({ length: 45 }, (_, index) => index + 1),
  );
  expect((await run.attempts()).map((attempt) => attempt.trial)).toEqual(new Array(45).fill(trialId(1)));
});

test("a disk that is full is said so, and what was durable before stays readable", async () => {
  const path = join(root, "events.jsonl");
  // The limit on file size stands in for the disk's.
  const child = spawn("prlimit", ["--fsize=20000", process.execPath, fixture("fill-disk.ts"), path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [durable, code, verdict] = await Array.fromAsync(createInterface({ input: child.stdout }));
  expect([code, verdict]).toEqual(["record-write", "record-write"]);
  const events = await Array.fromAsync(readEvents(path));
  expect(events.length).toBeGreaterThanOrEqual(Number(durable));
  expect(Number(durable)).toBeGreaterThan(0);
});
