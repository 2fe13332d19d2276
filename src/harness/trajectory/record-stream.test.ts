import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { trajectoryProblems } from "../../contract/trajectory-problems.ts";
import { readCodexStream } from "../codex/read-codex-stream.ts";
import type { DraftStep } from "./draft-step.ts";
import { createLineSplitter } from "./line-splitter.ts";
import { openTrajectoryWriter } from "./open-trajectory-writer.ts";
import { recordStream } from "./record-stream.ts";
import { createStepAssembler } from "./step-assembler.ts";
import type { StreamEvent } from "./stream-event.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-trajectory-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const head = { session_id: "trial-1", agent: { name: "test", version: "1" } };
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const ids = fc.constantFrom("a", "b", "c", "d");
const part = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: fc.string() }),
  fc.record({
    type: fc.constant("image" as const),
    mediaType: fc.constantFrom("image/png", "image/tiff"),
    data: fc.constantFrom(pixel, "", "!"),
  }),
);
const place = fc
  .option(fc.constantFrom("one", "two"), { nil: undefined })
  .map((group) => (group === undefined ? {} : { group }));
const streamEvent: fc.Arbitrary<StreamEvent> = fc.oneof(
  fc
    .tuple(fc.string(), fc.boolean(), place)
    .map(([text, delta, at]) => ({ kind: "text" as const, text, delta, ...at })),
  fc.tuple(fc.string(), place).map(([text, at]) => ({ kind: "reasoning" as const, text, ...at })),
  fc.tuple(ids, fc.string(), fc.jsonValue(), place).map(([id, name, input, at]) => ({
    kind: "call" as const,
    id,
    name,
    arguments: JSON.parse(JSON.stringify(input)),
    ...at,
  })),
  fc
    .tuple(ids, fc.array(part, { maxLength: 3 }))
    .map(([call, content]) => ({ kind: "result" as const, call, content })),
  fc
    .array(part, { maxLength: 2 })
    .map((content) => ({ kind: "message" as const, source: "user" as const, content })),
  fc.nat().map((tokens) => ({ kind: "metrics" as const, metrics: { prompt_tokens: tokens } })),
  fc.nat().map((event) => ({ kind: "other" as const, event })),
);

test("any order of events makes a valid trajectory, and every result and event is in it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(streamEvent, { maxLength: 60 }), async (events) => {
      const limits = { waitingSteps: 3, waitingCharacters: 500, stepCharacters: 50, keptCharacters: 20 };
      const assembler = createStepAssembler(limits);
      await using writer = await openTrajectoryWriter(folder, head);
      const steps: DraftStep[] = events.flatMap((event) => [...assembler.take(event, 1)]);
      steps.push(...assembler.end());
      for (const step of steps) await writer.write(step);
      const trajectory = JSON.parse(await readFile(await writer.finish({}), "utf8"));
      expect(trajectoryProblems(trajectory)).toEqual([]);
      const kept = steps.flatMap((step) => {
        const ale = step.extra?.["ale"] as { readonly events?: readonly object[] } | undefined;
        return ale?.events ?? [];
      });
      const count = (kind: StreamEvent["kind"]): number =>
        events.filter((event) => event.kind === kind).length;
      const results = steps.reduce((sum, step) => sum + step.results.length, 0);
      expect(
        results + kept.filter((item) => typeof item === "object" && "unmatched_result" in item).length,
      ).toBe(count("result"));
      expect(kept.filter((item) => typeof item === "number")).toEqual(
        events.flatMap((event) => (event.kind === "other" ? [event.event] : [])),
      );
    }),
    { numRuns: 60 },
  );
});

test("a line is whole however its bytes are cut", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" })),
      fc.array(fc.integer({ min: 1, max: 9 })),
      (texts, sizes) => {
        const lines = texts.map((text) => text.replaceAll(/[\r\n]/g, ""));
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const splitter = createLineSplitter();
        const seen: string[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % Math.max(1, sizes.length)] ?? 1;
          seen.push(...splitter.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect([...seen, ...splitter.end()]).toEqual(lines);
      },
    ),
  );
});

test("a line without end is cut to its beginning", () => {
  const splitter = createLineSplitter(10_000);
  for (let turn = 0; turn < 100; turn += 1) splitter.push(Buffer.alloc(1000, "x"));
  const [line] = splitter.push(Buffer.from("\nnext\n"));
  expect(line).toMatch(/^x{4096}… \(a line of 100000 bytes, cut\)$/);
});

test("a writer that is not finished leaves no trajectory", async () => {
  {
    await using writer = await openTrajectoryWriter(folder, head);
    await writer.write({ at: 1, source: "user", message: [{ type: "text", text: "hello" }], results: [] });
    expect(await readdir(folder)).toEqual(["trajectory.json.part"]);
  }
  expect(await readdir(folder)).toEqual([]);
});

test("a step against the format is refused with what is wrong in it", async () => {
  await using writer = await openTrajectoryWriter(folder, head);
  const step: DraftStep = { at: 1, source: "user", message: [], results: [], model_name: "m" };
  await expect(writer.write(step)).rejects.toMatchObject({
    code: "bad-trajectory-step",
    fields: { problems: [expect.stringContaining("model_name")] },
  });
});

test("secrets are taken out of every part of the file", async () => {
  const redact = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll("canary-key", "[redacted]"));
  await using writer = await openTrajectoryWriter(folder, { ...head, session_id: "canary-key" }, redact);
  await writer.write({ at: 1, source: "user", message: [{ type: "text", text: "canary-key" }], results: [] });
  const text = await readFile(await writer.finish({ notes: "canary-key" }), "utf8");
  expect(text).not.toContain("canary-key");
  expect(text.match(/\[redacted\]/g)).toHaveLength(3);
});

test("an image shown twice is one file", async () => {
  await using writer = await openTrajectoryWriter(folder, head);
  const image = { type: "image", mediaType: "image/png", data: pixel } as const;
  await writer.write({ at: 1, source: "user", message: [image, image], results: [] });
  await writer.finish({});
  expect(await readdir(join(folder, "screenshots"))).toHaveLength(1);
});

/** A full collection, so that what is measured is what is held and not what waits to be collected. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

/** Highest growth of what is held, in bytes. */
async function growthWhile(work: (sample: () => void) => Promise<void>): Promise<number> {
  const collect = collector();
  const held = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = held();
  let peak = before;
  await work(() => {
    peak = Math.max(peak, held());
  });
  return peak - before;
}

const megabyte = 1024 * 1024;
const apart = 20 * megabyte;

test.each([
  ["lines of noise", Buffer.from(`${"noise, no event ".repeat(16)}\n`.repeat(256))],
  ["a line that never ends", Buffer.alloc(65_536, "x")],
  [
    "events nobody knows",
    Buffer.from(`${JSON.stringify({ type: "unknown", text: "y".repeat(4000) })}\n`.repeat(16)),
  ],
])("200 MB of %s cost less than 100 MB of memory", { timeout: 120_000 }, async (_, chunk) => {
  const growth = await growthWhile(async (sample) => {
    await using writer = await openTrajectoryWriter(folder, head);
    const output = (async function* () {
      for (let sent = 0; sent < 200 * megabyte; sent += chunk.length) {
        yield chunk;
        if (Math.floor((sent + chunk.length) / apart) > Math.floor(sent / apart)) sample();
      }
    })();
    const { facts } = await recordStream(
      output,
      readCodexStream(),
      writer,
      () => 1,
      async () => ({ kind: "exited", code: 0 }),
    );
    expect(facts.ending).toMatchObject({ error: "garbage" });
  });
  expect(growth).toBeLessThan(100 * megabyte);
});
