import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { known } from "../../contract/absence.ts";
import { wireNames } from "../../contract/wire.ts";
import { createRun } from "../../record/create-run.ts";
import {
  exampleLock,
  examplePlan,
  exampleResult,
  exampleVerdict,
  steppedClock,
  trialId,
} from "../../record/fixtures/example-run.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import type { Script } from "../../testing/scripted-model/script.ts";
import { createScriptedModel } from "../../testing/scripted-model/scripted-model.ts";
import { alwaysSays } from "../../testing/scripted-model/scripts.ts";
import { runCommandLine } from "../run-command-line.ts";
import { createSilentContext } from "../silent-context.ts";

let root: string;
let attempt: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ale-label-"));
  const run = await createRun({
    root: join(root, "runs"),
    plan: examplePlan(2),
    lock: exampleLock,
    clock: steppedClock(),
  });
  for (const repeat of [1, 2]) {
    await using writer = await run.startAttempt(trialId(repeat));
    attempt = repeat === 1 ? writer.dir : attempt;
    await writer.writeVerdict({
      ...exampleVerdict(repeat - 1),
      checks: [
        {
          id: "total",
          stage: "sums",
          weight: 1,
          gate: false,
          score: repeat - 1,
          message: "the total is wrong",
          evidence: { reference: "secret-42" },
        },
      ],
    });
    const score = { score: known(repeat - 1), fullPass: known(repeat === 2) };
    await writer.writeResult(exampleResult({ trial: trialId(repeat), repeat, ...score }));
  }
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Runs `ale results label --by-model` against a model that does as the script says. */
async function label(
  script: Script,
  wire = "openai-chat",
): Promise<{
  readonly out: string;
  readonly err: string;
  readonly status: number;
  readonly asked: readonly string[];
}> {
  await using model = await createScriptedModel({ script, clock: createFixedClock() });
  const base = wire.startsWith("openai") ? `${model.origin}/v1` : model.origin;
  await writeFile(
    join(root, "models.yaml"),
    `schema: ale/models@1
upstreams:
  house: { base_url: "${base}", wires: [${wire}], key_env: HOUSE_KEY, retry: { attempts: 1 } }
models:
  judge: { upstream: house, prices: [{ input: 1, output: 10 }] }
`,
  );
  const seen = { out: "", err: "", status: 0 };
  const sink = (name: "out" | "err") => ({
    write: (text: string) => {
      seen[name] += text;
    },
    isTerminal: false,
    columns: 100,
  });
  await runCommandLine(["results", "label", "--by-model", "judge", "--json"], {
    ...createSilentContext(),
    out: sink("out"),
    err: sink("err"),
    cwd: root,
    environment: { HOUSE_KEY: "sk-house-0123456789abcdef" },
    setExitStatus: (status) => {
      seen.status = Math.max(seen.status, status);
    },
  });
  return { ...seen, asked: model.calls.map((call) => JSON.stringify(call)) };
}

const labels = (): Promise<string> => readFile(join(attempt, "labels.jsonl"), "utf8").catch(() => "");

test.each(wireNames)(
  "a model that is spoken to in %s labels what failed, once, marked as a model's, and never sees evidence of checks",
  async (wire) => {
    const answer = '{"label": "implementation-bug", "because": "The check total failed."}';
    const first = await label(alwaysSays(answer), wire);
    expect(first).toMatchObject({ status: 0, err: "" });
    expect(JSON.parse(first.out)).toMatchObject({
      model: "judge",
      labels: [{ trial: trialId(1), kind: "label", label: "implementation-bug" }],
      costUsd: expect.any(Number),
    });
    expect(JSON.parse(await labels())).toMatchObject({
      by: "model",
      coder: "judge",
      label: "implementation-bug",
    });
    expect(first.asked).toHaveLength(1);
    expect(first.asked[0]).toContain("the total is wrong");
    expect(first.asked[0]).not.toContain("secret-42");
    const again = await label(alwaysSays(answer), wire);
    expect([again.asked.length, JSON.parse(again.out).labels[0].kind]).toEqual([0, "already"]);
  },
);

test("a model that will not guess gives no label", async () => {
  const { out, status } = await label(
    alwaysSays('```json\n{"label": "cannot-tell", "because": "No calls are known."}\n```'),
  );
  expect(JSON.parse(out).labels).toMatchObject([{ kind: "cannot-tell", because: "No calls are known." }]);
  expect([status, await labels()]).toEqual([0, ""]);
});

test.each([
  ["words", "It is an implementation bug."],
  ["a label of its own", '{"label": "laziness", "because": "It stopped."}'],
  ["no reason", '{"label": "incomplete", "because": " "}'],
  ["more than was asked", '{"label": "incomplete", "because": "x", "confidence": 1}'],
  ["two objects", '{"label": "incomplete", "because": "x"} {"label": "incomplete", "because": "x"}'],
])("an answer with %s is no label, and that is an outcome of its own", async (_, answer) => {
  const { out, status } = await label(alwaysSays(answer));
  expect(JSON.parse(out).labels).toMatchObject([{ kind: "unusable" }]);
  expect([status, await labels()]).toEqual([1, ""]);
});

test("a model that cannot be asked is told with its error, and one that is not known with what there is", async () => {
  const { out, status } = await label(() => ({ kind: "error", status: 400, message: "no such thing" }));
  expect(JSON.parse(out).labels).toMatchObject([
    { kind: "failed", reason: expect.stringContaining("no such thing") },
  ]);
  expect(status).toBe(1);
});
