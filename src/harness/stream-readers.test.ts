import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Trajectory } from "../contract/trajectory.ts";
import { trajectoryProblems } from "../contract/trajectory-problems.ts";
import { streamReaders } from "./stream-readers.ts";
import { openTrajectoryWriter } from "./trajectory/open-trajectory-writer.ts";
import { type RecordedStream, recordStream } from "./trajectory/record-stream.ts";
import type { ProcessEnd, StreamFacts } from "./trajectory/stream-reader.ts";

const arrival = Date.UTC(2026, 10, 29, 12);
const exit = (code: number): ProcessEnd => ({ kind: "exited", code });
const killed: ProcessEnd = { kind: "killed", reason: "ended at the time limit" };

interface Recorded extends RecordedStream {
  readonly trajectory: Trajectory;
}

async function record(harness: string, output: readonly Uint8Array[], end: ProcessEnd): Promise<Recorded> {
  const folder = await mkdtemp(join(tmpdir(), "ale-stream-"));
  try {
    await using writer = await openTrajectoryWriter(folder, {
      session_id: "trial-1",
      agent: { name: harness, version: "1" },
    });
    const reader = streamReaders[harness]?.();
    if (reader === undefined) throw new Error(`no reader for ${harness}`);
    const chunks = (async function* () {
      yield* output;
    })();
    const recorded = await recordStream(
      chunks,
      reader,
      writer,
      () => arrival,
      async () => end,
    );
    return { ...recorded, trajectory: JSON.parse(await readFile(recorded.path, "utf8")) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fixture(harness: string, name: string): Promise<Buffer> {
  return await readFile(join(import.meta.dirname, harness, "fixtures", `${name}.jsonl`));
}

const readFixture = async (harness: string, name: string, end: ProcessEnd): Promise<Recorded> =>
  await record(harness, [await fixture(harness, name)], end);

const usage = (facts: StreamFacts): unknown => (facts.usage.known ? facts.usage.value : facts.usage.reason);

const chatTotals = { calls: 2, input: 3000, cached: 800, cacheWrite: 0, output: 72, reasoning: 0 };
const claudeTotals = { calls: 2, input: 4000, cached: 1000, cacheWrite: 600, output: 97, reasoning: 0 };

const worked: readonly (readonly [
  harness: string,
  name: string,
  usage: unknown,
  cost: number | undefined,
])[] = [
  ["claude-code", "shell", claudeTotals, 0.011205],
  ["claude-code", "mcp", claudeTotals, 0.011205],
  ["codex", "shell", { ...chatTotals, calls: 1, reasoning: 16 }, undefined],
  ["codex", "mcp", { ...chatTotals, calls: 1, reasoning: 16 }, undefined],
  ["gemini-cli", "shell", chatTotals, undefined],
  ["gemini-cli", "mcp", chatTotals, undefined],
  ["openclaw", "shell", { ...chatTotals, output: 120, reasoning: 16 }, undefined],
  ["openclaw", "mcp", { ...chatTotals, output: 120, reasoning: 16 }, undefined],
  ["opencode", "shell", chatTotals, 0.00264],
  ["opencode", "mcp", chatTotals, 0.00264],
  ["pi", "shell", chatTotals, 0.00264],
  ["pi", "shell-1.6", chatTotals, 0.00264],
  ["qwen-code", "shell", chatTotals, undefined],
  ["cline", "shell", chatTotals, undefined],
  ["copilot", "shell", "the stream gives no total of the tokens", undefined],
];

describe.each(worked)("%s, %s", (harness, name, tokens, cost) => {
  test("is read as completed, with its words, tokens and cost", async () => {
    const { facts } = await readFixture(harness, name, exit(0));
    expect(facts.ending).toEqual({ kind: "completed" });
    expect(facts.finalMessage).toEqual({ known: true, value: "Done. I wrote hello.txt." });
    expect(usage(facts)).toEqual(tokens);
    if (cost === undefined) expect(facts.costUsd.known).toBe(false);
    else expect(facts.costUsd.known && facts.costUsd.value).toBeCloseTo(cost, 9);
    expect(facts.toolCalls).toBe(1);
    expect(facts.noise.lines).toBe(0);
  });

  test("becomes a valid trajectory whose call has its answer in the same step", async () => {
    const { trajectory } = await readFixture(harness, name, exit(0));
    expect(trajectoryProblems(trajectory)).toEqual([]);
    const agent = trajectory.steps.filter((step) => step.source === "agent");
    expect(agent).toHaveLength(2);
    expect(agent[0]?.tool_calls).toHaveLength(1);
    expect(agent[0]?.message).toMatch(/^I will write the file\. ?$/);
    const answer = JSON.stringify(agent[0]?.observation?.results[0]?.content);
    expect(answer).toContain(name === "mcp" ? "screen 1x1" : "hello-from-mock");
  });
});

test.each([
  ["claude-code", 1, 0],
  ["codex", 1, 0],
  ["openclaw", 1, 0],
  ["opencode", 1, 0],
  ["gemini-cli", 0, 1],
])(
  "the screenshot %s was shown is kept, or counted where its stream leaves it out",
  async (harness, kept, left) => {
    const { facts, trajectory } = await readFixture(harness, "mcp", exit(0));
    expect([facts.images, facts.imagesLeftOut]).toEqual([kept, left]);
    const paths = JSON.stringify(trajectory).match(/screenshots\/[0-9a-f]{64}\.png/g) ?? [];
    expect(paths).toHaveLength(kept);
  },
);

test.each([
  ["claude-code", "401", exit(1), "auth"],
  ["claude-code", "401-cut", killed, "auth"],
  ["claude-code", "500-cut", killed, "server"],
  ["claude-code", "budget", exit(1), "budget"],
  ["claude-code", "max-turns", exit(1), "turn-limit"],
  ["codex", "401", exit(1), "auth"],
  ["codex", "500", exit(1), "server"],
  ["gemini-cli", "401", exit(145), "auth"],
  ["gemini-cli", "500-cut", killed, "killed"],
  ["openclaw", "401", exit(1), "auth"],
  ["openclaw", "500", exit(1), "server"],
  ["opencode", "401", exit(1), "auth"],
  ["opencode", "500", killed, "server"],
  ["pi", "401", exit(0), "auth"],
  ["pi", "500", exit(0), "server"],
] as const)("%s that failed with %s is told apart", async (harness, name, end, kind) => {
  const { facts, trajectory } = await readFixture(harness, name, end);
  expect(facts.ending).toMatchObject({ kind: "error", error: kind });
  expect(trajectoryProblems(trajectory)).toEqual([]);
});

test("a budget stop still tells what was used", async () => {
  const { facts } = await readFixture("claude-code", "budget", exit(1));
  expect(usage(facts)).toMatchObject({ input: 2000, cached: 500, cacheWrite: 300, output: 85 });
});

describe.each(Object.keys(streamReaders))("%s, under bad output", (harness) => {
  test("a stream cut at any byte makes a valid trajectory and is never taken for done before its end", async () => {
    const whole = await fixture(harness, "shell");
    const complete = await record(harness, [whole], exit(0));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: Math.floor(whole.length / 2) }), async (length) => {
        const { trajectory, facts } = await record(harness, [whole.subarray(0, length)], killed);
        expect(trajectoryProblems(trajectory)).toEqual([]);
        expect(facts.ending.kind).toBe("error");
        expect(facts.toolCalls).toBeLessThanOrEqual(complete.facts.toolCalls);
      }),
      { numRuns: 15 },
    );
  });

  test("noise between the lines loses none of them", async () => {
    const lines = (await fixture(harness, "shell")).toString("utf8").trimEnd().split("\n");
    const clean = await record(harness, [Buffer.from(lines.join("\n"))], exit(0));
    const noise = fc.oneof(
      fc.string().map((text) => `#${text.replaceAll(/[\r\n]/g, " ")}`),
      fc.json().map((text) => JSON.stringify({ type: "never-heard-of", text })),
      fc.constantFrom("[1,2", '{"type":"assistant"', "null", "[]", "\u0000\uffff", "[".repeat(5000)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(noise, { maxLength: 12 }), fc.nat(), async (noises, seed) => {
        const mixed = [...lines];
        noises.forEach((text, index) => {
          mixed.splice((seed + index * 7) % (mixed.length + 1), 0, text);
        });
        const { facts, trajectory } = await record(harness, [Buffer.from(mixed.join("\n"))], exit(0));
        expect({ ...facts, noise: 0 }).toEqual({ ...clean.facts, noise: 0 });
        expect(trajectoryProblems(trajectory)).toEqual([]);
        const said = (one: Trajectory): unknown => one.steps.map(({ extra: _, ...step }) => step);
        expect(said(trajectory)).toEqual(said(clean.trajectory));
      }),
      { numRuns: 15 },
    );
  });

  test("fields of any other kind do not make it throw", async () => {
    const lines = (await fixture(harness, "shell")).toString("utf8").trimEnd().split("\n");
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.jsonValue(), fc.nat(), async (seed, value, member) => {
        const changed = lines.map((line, index) => {
          if ((index + seed) % 3 !== 0) return line;
          const place = { left: member % 25 };
          return JSON.stringify(replaceOne(JSON.parse(line), value, place));
        });
        const { trajectory } = await record(harness, [Buffer.from(changed.join("\n"))], exit(0));
        expect(trajectoryProblems(trajectory)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test("nothing but garbage is called so", async () => {
    const { facts } = await record(harness, [Buffer.from("Segmentation fault\n")], exit(0));
    expect(facts.ending).toMatchObject({ kind: "error", error: "garbage" });
    expect(facts.noise).toEqual({ lines: 1, bytes: 18 });
  });
});

/** The value with its n-th member, counted from the root, replaced. */
function replaceOne(value: unknown, by: unknown, place: { left: number }): unknown {
  if (place.left === 0) {
    place.left = -1;
    return by;
  }
  place.left -= 1;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => replaceOne(item, by, place));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceOne(item, by, place)]));
}

test("costs that add up to more than a number holds are told as none", async () => {
  const finish = { type: "step_finish", part: { reason: "stop", cost: 1.7e308 } };
  const lines = [finish, finish].map((event) => JSON.stringify(event)).join("\n");
  const { facts, trajectory } = await record("opencode", [Buffer.from(lines)], exit(0));
  expect(facts.costUsd.known).toBe(false);
  expect(trajectoryProblems(trajectory)).toEqual([]);
});

test("every fixture is of a harness that is read", async () => {
  const folders = await readdir(import.meta.dirname, { withFileTypes: true });
  const names = folders.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  expect(Object.keys(streamReaders).filter((name) => !names.includes(name))).toEqual([]);
});
