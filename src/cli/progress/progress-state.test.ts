import { expect, test } from "vitest";
import { known, unknown } from "../../contract/absence.ts";
import type { TrialResult } from "../../contract/trial-result.ts";
import { renderProgress } from "./live-progress.ts";
import { advanceProgress, initialProgress, timeLeft } from "./progress-state.ts";

const trial = { id: "oracle.sum", contestant: "oracle", instance: "a/b@c", repeat: 1 };

function result(costUsd: TrialResult["costUsd"]): TrialResult {
  return { trial: trial.id, status: "completed", costUsd } as TrialResult;
}

test("a trial is shown in its phase until its attempt ends", () => {
  let state = initialProgress(0);
  state = advanceProgress(state, { type: "exam-started", planned: 4, done: 1 }, 0);
  state = advanceProgress(state, { type: "attempt-started", trial, attempt: 1 }, 10);
  state = advanceProgress(state, { type: "phase", trial, attempt: 1, phase: "agent", state: "started" }, 20);
  expect(renderProgress(state, 1020, 2)).toContain("oracle.sum    1  agent  1.0 s");
  state = advanceProgress(state, { type: "attempt-ended", trial, result: result(known(0.5)) }, 30);
  expect(renderProgress(state, 1020, 2)).toBe(
    "1 of 4 trials  ·  cost $0.50 of $2.00  ·  time left unknown yet",
  );
});

test("the time left follows the pace of this process alone", () => {
  let state = advanceProgress(initialProgress(0), { type: "exam-started", planned: 10, done: 6 }, 0);
  state = advanceProgress(state, { type: "trial-ended", trial, result: result(unknown("no price")) }, 1000);
  expect(timeLeft(state, 2000)).toBe(6000);
});

test("an unknown cost is counted as unknown, not as nothing", () => {
  const state = advanceProgress(
    initialProgress(0),
    { type: "attempt-ended", trial, result: result(unknown("no price")) },
    0,
  );
  expect(renderProgress(state, 0, undefined)).toContain("cost $0.00 (1 unknown)");
});
