import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { known } from "../contract/absence.ts";
import type { Effort } from "../contract/contestant.ts";
import { createRun } from "../record/create-run.ts";
import { exampleLock, examplePlan, exampleResult } from "../record/fixtures/example-run.ts";
import type { BoardView, TrendView } from "./api/board-view.ts";
import type { CompareView } from "./api/compare-view.ts";
import { createExampleSite } from "./fixtures/example-site.ts";

let root: string;
const dirs: string[] = [];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "ale-board-view-"));
  for (const month of [8, 9]) dirs.push(await sit(Date.UTC(2026, month, 1)));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const workflows = ["one", "two", "three", "four", "five", "six"];
const efforts: readonly Effort[] = ["low", "high"];
const harnesses = ["codex", "pi"];

/** Two harnesses with one model at two efforts on six workflows; more effort passes more. */
async function sit(at: number): Promise<string> {
  const contestants = harnesses.flatMap((harness) =>
    efforts.map((effort) => ({ name: `${harness}:m:${effort}`, harness, model: "m", effort, settings: {} })),
  );
  const trials = contestants.flatMap(({ name }) =>
    workflows.map((workflow) => ({
      id: `${name.replaceAll(":", "-")}.${workflow}`,
      contestant: name,
      instance: `legal/${workflow}@base`,
      repeat: 1,
    })),
  );
  let now = at;
  const clock = { now: () => now++, monotonic: () => now++, sleep: () => Promise.resolve() };
  const plan = { ...examplePlan(1), createdAt: at, contestants, trials };
  const run = await createRun({ root, plan, lock: exampleLock, clock });
  for (const { id, contestant, instance } of trials) {
    await using writer = await run.startAttempt(id);
    const definition = contestants.find(({ name }) => name === contestant);
    const passed = workflows.indexOf(instance.slice(6, -5)) < (definition?.effort === "high" ? 4 : 2);
    await writer.writeResult({
      ...exampleResult({ trial: id, instance, score: known(Number(passed)), fullPass: known(passed) }),
      contestant: definition ?? { name: contestant, harness: "", settings: {} },
    });
  }
  return run.dir;
}

async function ask<T>(path: string): Promise<T> {
  const { app } = await createExampleSite({ root });
  return (await (await app.request(`/api/${path}`)).json()) as T;
}

test("a board has the curves of efforts and the map of harnesses by models", async () => {
  const view = await ask<BoardView>("board/full-pass-verified");
  if (view.kind !== "verified") throw new Error(view.kind);
  expect(
    view.efforts.map(({ harness, points }) => [harness, points.map(({ effort, value }) => [effort, value])]),
  ).toEqual(
    harnesses.map((harness) => [
      harness,
      [
        ["low", 2 / 6],
        ["high", 4 / 6],
      ],
    ]),
  );
  expect(view.harnessModels.map(({ effort, cells }) => [effort, cells.length])).toEqual([
    ["low", 2],
    ["high", 2],
  ]);
});

test("a trend has a point for each run, by its id and not by where it lies", async () => {
  const { trends } = await ask<TrendView>("trend/full-pass-verified");
  expect(trends).toHaveLength(4);
  expect(trends[0]?.points.map(({ run, comparableToLast }) => [run, comparableToLast])).toEqual([
    [basename(dirs[0] ?? ""), false],
    [basename(dirs[1] ?? ""), true],
  ]);
  expect(JSON.stringify(trends)).not.toContain(dirname(root));
});

test("a comparison has the bootstrap interval beside the other, the same each time", async () => {
  const path = "compare?first=pi:m:low&second=pi:m:high";
  const [one, again] = [await ask<CompareView>(path), await ask<CompareView>(path)];
  expect(one.comparison?.mean.bootstrapLow).toBeTypeOf("number");
  expect(one).toEqual(again);
});
