import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TrialStatus } from "../contract/trial-status.ts";
import { createRun } from "../record/create-run.ts";
import {
  exampleLock,
  examplePlan,
  exampleResult,
  steppedClock,
  trialId,
} from "../record/fixtures/example-run.ts";
import { findUnfinishedRun } from "./find-run.ts";

const clock = steppedClock();

/** A run of one trial whose only attempt ended like this; returns its directory. */
async function sat(root: string, name: string, status: TrialStatus, harness?: string): Promise<string> {
  const example = examplePlan(1);
  const contestants = example.contestants.map((each) => ({ ...each, harness: harness ?? each.harness }));
  const plan = { ...example, exam: name, contestants };
  const run = await createRun({ root, plan, lock: exampleLock, clock, secrets: [] });
  await using writer = await run.startAttempt(trialId(1));
  await writer.writeResult(exampleResult({ status }));
  return run.dir;
}

test.each(["cancelled", "env_error", "task_error", "verifier_error"] as const)(
  "a run with a trial that ended as %s is still to be resumed",
  async (status) => {
    const root = await mkdtemp(join(tmpdir(), "ale-find-run-"));
    try {
      const open = await sat(root, "first", status);
      await sat(root, "second", "timeout");
      await sat(root, "third", "cancelled", "human");
      expect(await findUnfinishedRun(undefined, root, "/", false)).toBe(open);
    } finally {
      await rm(root, { recursive: true });
    }
  },
);
