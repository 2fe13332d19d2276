import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TrialResult } from "../../src/contract/trial-result.ts";
import { createFixedClock } from "../../src/testing/fixed-clock.ts";
import type { Script } from "../../src/testing/scripted-model/script.ts";
import { createScriptedModel, type ScriptedModel } from "../../src/testing/scripted-model/scripted-model.ts";
import { runsCommands, withFaults } from "../../src/testing/scripted-model/scripts.ts";
import { repositoryRoot } from "../source-imports.ts";
import { createWorkplace, type Workplace } from "./run-ale.ts";

const tasks = join(repositoryRoot, "test", "tasks");

/** Works the task out and says so. */
const solves = (): Script =>
  runsCommands(
    [
      'awk -F, \'NR > 1 { sum += $NF } END { printf "{\\"total\\": %.2f}\\n", sum }\' input/amounts.csv > output/total.json',
    ],
    "It is done.\n\nCLAIM: done\n- total.json: done",
  );

/** A workplace whose models file names the scripted server's model, at a dollar for a thousand tokens of input. */
async function withModel(model: ScriptedModel, attempts = 8): Promise<Workplace> {
  const place = await createWorkplace();
  await writeFile(
    join(place.dir, "models.yaml"),
    `schema: ale/models@1
upstreams:
  house:
    base_url: ${model.origin}
    wires: [anthropic-messages]
    retry: { attempts: ${attempts}, base_seconds: 0.05, max_seconds: 0.2 }
models:
  worker:
    upstream: house
    prices: [{ input: 1000, cached: 1000, cache_write: 1000, output: 0 }]
`,
  );
  return place;
}

async function results(place: Workplace): Promise<readonly TrialResult[]> {
  const runs = join(place.dir, "runs");
  const [run = ""] = await readdir(runs);
  const found: TrialResult[] = [];
  for (const name of await readdir(join(runs, run), { recursive: true })) {
    if (name.endsWith("result.json")) found.push(JSON.parse(await readFile(join(runs, run, name), "utf8")));
  }
  return found;
}

const usual = ["--agent", "ale-agent", "--model", "worker", "--tasks-root", tasks, "--json"];

test("in a storm of 429s and 5xx over forty trials none is scored for it, and working time leaves the waits out", async () => {
  const statuses = [429, 503, 500, 529];
  const script = withFaults(solves(), ({ index }) => {
    const status = statuses[index % 7];
    return status === undefined ? undefined : { kind: "error", status };
  });
  await using model = await createScriptedModel({ script, clock: createFixedClock() });
  await using place = await withModel(model, 30);
  const { status, stdout, stderr } = await place.ale(
    "run",
    ...usual,
    "--repeats",
    "40",
    "--concurrency",
    "4",
  );
  expect(stderr).not.toMatch(/env_error|agent_error/);
  expect(status).toBe(0);
  const { statuses: stood, contestants } = JSON.parse(stdout);
  expect(stood).toEqual({ completed: 40 });
  expect(contestants[0].fullPass).toMatchObject({ passes: 40, n: 40 });
  const attempts = await results(place);
  expect(attempts.every(({ attempt }) => attempt === 1)).toBe(true);
  const waited = attempts.filter(({ accounts }) => (accounts?.gateway.waitedMs ?? 0) > 0);
  expect(waited.length).toBeGreaterThan(20);
  for (const { workingMs, phases, accounts } of waited) {
    const wall = phases.find(({ phase }) => phase === "agent")?.wallMs ?? 0;
    expect(workingMs).toBeLessThanOrEqual(wall - (accounts?.gateway.waitedMs ?? 0) + 50);
  }
}, 300_000);

test("an exam with a budget of two dollars stops admitting, finishes what runs, and reports on what it has", async () => {
  const script: Script = (turn) => {
    const step = solves()(turn);
    return step.kind === "answer" ? { ...step, usage: { input: 150, cached: 0, cacheWrite: 0 } } : step;
  };
  await using model = await createScriptedModel({ script, clock: createFixedClock() });
  await using place = await withModel(model);
  const { stdout } = await place.ale(
    "run",
    ...usual,
    "--repeats",
    "20",
    "--concurrency",
    "3",
    "--budget",
    "2",
  );
  const { planned, finished, contestants, statuses } = JSON.parse(stdout);
  // Two calls of 150 tokens at a dollar a thousand: 0.30 a trial, six of which fit.
  expect(planned).toBe(40);
  expect(finished).toBe(6);
  expect(statuses).toEqual({ completed: 6 });
  expect(contestants[0].costUsd).toBeCloseTo(1.8, 9);
  expect(contestants[0].fullPass).toMatchObject({ passes: 6, n: 6 });
});

test("a trial at its limit on tokens ends as budget_exceeded and is graded on what it left", async () => {
  await using model = await createScriptedModel({ script: solves(), clock: createFixedClock() });
  await using place = await withModel(model);
  await writeFile(
    join(place.dir, "exam.yaml"),
    `schema: ale/exam@1
name: limited
contestants: [{ harness: ale-agent, model: worker }]
tasks: { roots: [${tasks}] }
limits: { calls: 1 }
`,
  );
  const { stdout } = await place.ale("run", "exam.yaml", "--json");
  expect(JSON.parse(stdout).statuses).toEqual({ budget_exceeded: 2 });
  const [result] = await results(place);
  expect(result).toMatchObject({
    reason: "the limit on calls was reached",
    score: { known: true, value: 1 },
  });
});

test.each([
  ["an unknown model", ["--model", "nobody"], "unknown-model"],
  ["a missing model", [], "model-missing"],
])("%s is told before the first trial", async (_, flags, code) => {
  await using place = await createWorkplace();
  const args = ["--agent", "ale-agent", ...flags, "--tasks-root", tasks];
  const { status, stderr } = await place.ale("run", ...args);
  expect(status).not.toBe(0);
  expect(stderr).toContain(code);
  expect(await readdir(place.dir)).not.toContain("runs");
});
