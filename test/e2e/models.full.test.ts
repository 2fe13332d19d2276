import { expect, test } from "vitest";
import { createFixedClock } from "../../src/testing/fixed-clock.ts";
import type { Script } from "../../src/testing/scripted-model/script.ts";
import { createScriptedModel } from "../../src/testing/scripted-model/scripted-model.ts";
import { withFaults } from "../../src/testing/scripted-model/scripts.ts";
import { results, solves, usual, withModel } from "./worker-model.ts";

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
    "20",
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
  const spent = (await results(place)).map(({ costUsd }) => (costUsd.known ? costUsd.value : 0));
  expect(spent.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(1.8, 9);
  // A total over trials of which some were never sat is not told.
  expect(contestants[0].costUsd ?? contestants[0].costUsdReason).toMatch(/34/);
  expect(contestants[0].fullPass).toMatchObject({ passes: 6, n: 6 });
});
