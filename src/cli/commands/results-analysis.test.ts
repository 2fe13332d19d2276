import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { known } from "../../contract/absence.ts";
import { createRun } from "../../record/create-run.ts";
import { exampleLock, examplePlan, exampleResult, steppedClock } from "../../record/fixtures/example-run.ts";
import type { CliContext, TextSink } from "../cli-context.ts";
import { runCommandLine } from "../run-command-line.ts";
import { createSilentContext } from "../silent-context.ts";

const instances = ["w1", "w2", "w3", "w4", "w5", "w6"].map((name) => `legal/${name}@base`);
/** Passes of each contestant, by instance. */
const passes = { old: [1, 0, 0, 0, 1, 0], new: [1, 1, 1, 1, 1, 0] } as const;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "ale-analysis-"));
  await sit("first", "sha256:key");
  await sit("second", "sha256:other-key");
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function sit(exam: string, comparabilityKey: string): Promise<void> {
  const clock = steppedClock();
  const names = ["old", "new"] as const;
  const contestants = names.map((name) => ({ name, harness: name, settings: {} }));
  const trials = names.flatMap((contestant) =>
    instances.map((instance, index) => ({ id: `${contestant}.${index}`, contestant, instance, repeat: 1 })),
  );
  const plan = { ...examplePlan(1), exam, contestants, trials };
  const locked = instances.map((instance) => ({
    instance,
    packageDir: join(root, "gone"),
    format: "ale",
    taskHash: "sha256:1",
    comparabilityKey,
    comparability: { limits: { wall_minutes: exam === "first" ? 60 : 30 } },
  }));
  const lock = { ...exampleLock, instances: locked };
  const run = await createRun({ root: join(root, "runs"), plan, lock, clock });
  for (const { id, contestant, instance } of trials) {
    await using writer = await run.startAttempt(id);
    const score = passes[contestant as "old" | "new"][instances.indexOf(instance)] ?? 0;
    await writer.writeResult({
      ...exampleResult({ trial: id, attempt: writer.attempt, repeat: 1, artifacts: [] }),
      contestant: { name: contestant, harness: contestant, settings: {} },
      instance,
      comparabilityKey,
      score: known(score),
      fullPass: known(score === 1),
      claim: known({ kind: "done", message: "Done." }),
    });
  }
}

async function ale(...argv: readonly string[]): Promise<{ out: string; err: string; status: number }> {
  const texts = { out: "", err: "" };
  let status = 0;
  const sink = (name: "out" | "err"): TextSink => ({
    write: (text) => {
      texts[name] += text;
    },
    isTerminal: false,
    columns: 100,
  });
  const context: CliContext = {
    ...createSilentContext(),
    out: sink("out"),
    err: sink("err"),
    cwd: root,
    setExitStatus: (value) => {
      status = Math.max(status, value);
    },
  };
  await runCommandLine(argv, context);
  return { ...texts, status };
}

test("a build is compared with the one before it, with gains, losses and a test", async () => {
  const run = await runOf("first");
  const { out } = await ale("results", "compare", `${run}:old`, `${run}:new`, "--json");
  const comparison = JSON.parse(out) as { readonly fullPass: { readonly difference: number } };
  expect(comparison).toMatchObject({
    first: "old",
    second: "new",
    sharedInstances: 6,
    fullPass: { test: "exact McNemar", p: expect.closeTo(0.25, 9), lost: [], gained: instances.slice(1, 4) },
  });
  expect(comparison.fullPass.difference).toBeCloseTo(0.5, 12);
  expect(comparison.fullPass).toMatchObject({
    bootstrapLow: expect.any(Number),
    bootstrapHigh: expect.any(Number),
  });
  const text = await ale("results", "compare", `${run}:old`, `${run}:new`);
  expect(text.out).toMatch(/full pass +\+50\.0 points .*bootstrap \[[+-]?[\d.]+, \+[\d.]+\]/);
});

test("contestants of unequal conditions are not compared, and it says so", async () => {
  const [first, second] = [await runOf("first"), await runOf("second")];
  const refused = await ale("results", "compare", `${first}:old`, `${second}:old`);
  expect(refused.status).toBe(1);
  expect(refused.err).toMatch(/6 shared instances[\s\S]*limits.wall_minutes: 60 against 30/);
  const vague = await ale("results", "compare", first, second);
  expect(vague).toMatchObject({ status: 2, err: expect.stringMatching(/2 contestants: say which one/) });
});

async function runOf(exam: string): Promise<string> {
  const names = await readdir(join(root, "runs"));
  return names.find((name) => name.startsWith(exam)) ?? exam;
}

test("failures show the rules with their evidence, and a label of a person is kept beside them", async () => {
  const run = await runOf("first");
  const labelled = await ale("results", "label", "old.1", "domain-gap", "--coder", "ada", "--run", run);
  expect(labelled).toMatchObject({ status: 0, out: "old.1, attempt 1: domain-gap by ada\n" });
  const { out } = await ale("results", "failures", run, "--json");
  const summary = JSON.parse(out) as {
    readonly failed: readonly {
      readonly trial: string;
      readonly rules: readonly { readonly rule: string }[];
    }[];
    readonly counts: readonly { readonly label: string; readonly people: number }[];
    readonly completion: readonly object[];
  };
  expect(summary.failed.map((attempt) => attempt.trial)).toEqual([
    "new.5",
    "old.1",
    "old.2",
    "old.3",
    "old.5",
  ]);
  expect(summary.failed[0]?.rules.map((rule) => rule.rule)).toContain("false-completion");
  expect(summary.counts.filter((count) => count.people > 0)).toMatchObject([{ label: "domain-gap" }]);
  expect(summary.completion).toContainEqual(
    expect.objectContaining({ contestant: "new", saidDone: 6, saidDoneAndPassed: 5 }),
  );
  expect((await ale("results", "label", "old.1", "laziness", "--coder", "ada")).status).toBe(2);
});

test.each([
  "resources",
  "best",
  "domains",
  "repeats",
  "effort",
  "harness-model",
  "trend",
  "variance",
  "difficulty",
])("ale board %s prints text, and JSON of its lane", async (view) => {
  const run = await runOf("first");
  const text = await ale("board", view, run);
  expect(text).toMatchObject({ status: 0, err: "" });
  expect(text.out).toMatch(/^full-pass-verified, scoring policy observed\n\n./);
  const json = await ale("board", view, run, "--lane", "mean-verified", "--json");
  expect(JSON.parse(json.out)).toMatchObject({
    lane: "mean-verified",
    policy: "observed",
    [view]: expect.anything(),
  });
});

test("a board has bootstrap intervals when asked, and a filter that needs lost packages is refused", async () => {
  const run = await runOf("first");
  const board = JSON.parse((await ale("board", run, "--bootstrap", "400", "--json")).out) as {
    readonly rows: readonly { readonly contestant: string; readonly bootstrapLow: number | null }[];
  };
  expect(board.rows.map((row) => row.contestant)).toEqual(["new", "old"]);
  expect(board.rows[0]?.bootstrapLow).toBeGreaterThan(0.3);
  expect(await ale("board", run, "--tier", "last-exam")).toMatchObject({
    status: 1,
    err: expect.stringMatching(/cannot be filtered/),
  });
  expect((await ale("board", run, "--domain", "legal")).status).toBe(0);
});

test("Parquet goes to a file, and text to standard output", async () => {
  const run = await runOf("first");
  expect((await ale("results", "export", run, "--format", "parquet")).status).toBe(2);
  expect(await ale("results", "export", run, "--format", "parquet", "--output", "x.parquet")).toMatchObject({
    status: 0,
    out: "12 attempts written to x.parquet\n",
  });
  expect((await readFile(join(root, "x.parquet"))).subarray(0, 4).toString()).toBe("PAR1");
  expect((await ale("results", "export", run, "--format", "csv")).out.split("\r\n")).toHaveLength(14);
});
