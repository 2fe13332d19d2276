import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TrialEventBody } from "../contract/trial-event.ts";
import { openEventLog } from "./event-log.ts";
import { steppedClock } from "./fixtures/example-run.ts";
import { readEvents } from "./read-events.ts";
import { createRedactor } from "./redactor.ts";

let root: string;
let path: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ale-events-"));
  path = join(root, "events.jsonl");
});
afterEach(() => rm(root, { recursive: true, force: true }));

const options = { clock: steppedClock(), redactor: createRedactor(["s3cr3t-value"]) };
const note = (message: string): TrialEventBody => ({ type: "note", code: "test", message });

async function write(messages: readonly string[]): Promise<void> {
  await using log = await openEventLog(path, options);
  for (const message of messages) log.append(note(message));
}

async function messages(): Promise<readonly string[]> {
  const events = await Array.fromAsync(readEvents(path));
  return events.map((event) => (event.type === "note" ? event.message : event.type));
}

test("events come back in call order, numbered from 1 without gaps", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: "binary" }), { maxLength: 30 }), async (texts) => {
      await rm(path, { force: true });
      await write(texts);
      const events = await Array.fromAsync(readEvents(path));
      expect(events.map((event) => event.seq)).toEqual(texts.map((_, index) => index + 1));
      // A lone surrogate has no UTF-8; it becomes the replacement character.
      expect(await messages()).toEqual(texts.map((text) => text.toWellFormed()));
    }),
    { numRuns: 40 },
  );
});

test("wherever the last line is cut, the lines before it are read, and writing goes on", async () => {
  await write(["first", "sécond", "thïrd ☃"]);
  const whole = await readFile(path);
  const lastStart = whole.lastIndexOf(10, whole.length - 2) + 1;
  for (let length = lastStart; length <= whole.length; length++) {
    await writeFile(path, whole.subarray(0, length));
    const kept = length >= whole.length - 1 ? ["first", "sécond", "thïrd ☃"] : ["first", "sécond"];
    expect(await messages()).toEqual(kept);
    await write(["after"]);
    expect(await messages()).toEqual([...kept, "after"]);
    const sequence = (await Array.fromAsync(readEvents(path))).map((event) => event.seq);
    expect(sequence).toEqual([...kept, "after"].map((_, index) => index + 1));
  }
});

test("a tail of zero bytes, as some file systems leave after a power cut, is repaired", async () => {
  await write(["first"]);
  await appendFile(path, Buffer.alloc(4096));
  expect(await messages()).toEqual(["first"]);
  await write(["second"]);
  expect(await messages()).toEqual(["first", "second"]);
});

test("a corrupt line in the middle is a note with its line number, and the rest is read", async () => {
  await write(["first", "second", "third"]);
  const lines = (await readFile(path, "utf8")).split("\n");
  lines[1] = '{"seq":2,"at":';
  await writeFile(path, lines.join("\n"));
  const events = await Array.fromAsync(readEvents(path));
  expect(events.map((event) => event.seq)).toEqual([1, 2, 3]);
  expect(events[1]).toMatchObject({ type: "note", code: "corrupt-line", data: { line: 2 } });
});

test("an absent file holds no events", async () => {
  expect(await messages()).toEqual([]);
});

test("a secret never reaches the file, wherever in the event it stands", async () => {
  {
    await using log = await openEventLog(path, options);
    log.append({
      type: "command",
      phase: "agent",
      argv: ["curl", "-H", "key: s3cr3t-value"],
      exit: 0,
      wallMs: 1,
    });
    log.append({ type: "agent", kind: "x", data: { deep: [{ "s3cr3t-value": "a s3cr3t-value b" }] } });
  }
  const text = await readFile(path, "utf8");
  expect(text).not.toContain("s3cr3t-value");
  expect(text.match(/\[redacted\]/g)).toHaveLength(3);
});

test("an event that breaks the contract is refused and the log stays usable", async () => {
  await using log = await openEventLog(path, options);
  expect(() => log.append({ type: "note", code: "", message: "no code" })).toThrow(/schema/);
  log.append(note("fine"));
  await log.flush();
  expect(await messages()).toEqual(["fine"]);
});

test("an event after the end is an error, and ending twice is not", async () => {
  const log = await openEventLog(path, options);
  await log[Symbol.asyncDispose]();
  await log[Symbol.asyncDispose]();
  expect(() => log.append(note("late"))).toThrow(/closed/);
});
