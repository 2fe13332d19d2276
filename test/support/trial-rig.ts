import { expect } from "vitest";
import { known, unknown } from "../../src/contract/absence.ts";
import type { TrialEvent } from "../../src/contract/trial-event.ts";
import type { TrialResult } from "../../src/contract/trial-result.ts";
import { noUsage } from "../../src/contract/usage.ts";
import { type LineOpener, noLine, type TrialLine } from "../../src/exam/line/trial-line.ts";
import type { Harness, HarnessOutcome, HarnessSession } from "../../src/harness/harness.ts";
import { createExamRig, type ExamRig, type ExamRigOptions } from "./exam-rig.ts";

/** What a harness ends with that called no model and says nothing of its work. */
export const quiet: Omit<HarnessOutcome, "kind"> = {
  usage: known(noUsage),
  costUsd: known(0),
  claim: unknown("silent"),
};

/** A harness named `scripted`. */
export function harnessOf(launch: (session: HarnessSession) => Promise<HarnessOutcome>): Harness {
  return {
    name: "scripted",
    summary: "does what a test says",
    version: async () => "1",
    preflight: async () => [],
    needs: async () => ({ mounts: [], env: {} }),
    launch,
  };
}

export interface TrialOutcome {
  readonly result: TrialResult;
  readonly events: readonly TrialEvent[];
  readonly rig: ExamRig;
}

/** Sits one trial; `meanwhile` runs beside it, to move the clock or to cancel. */
export async function sit(
  options: ExamRigOptions,
  meanwhile: (rig: ExamRig, stop: AbortController) => Promise<void> = async () => undefined,
  open?: TrialLine["open"],
): Promise<TrialOutcome & AsyncDisposable> {
  const rig = await createExamRig(options);
  const stop = new AbortController();
  const lines: LineOpener = async (request) => {
    const line = await noLine(request);
    return open === undefined ? line : { ...line, open };
  };
  const conducted = rig.conduct({ stop: stop.signal, lines });
  await meanwhile(rig, stop);
  await conducted;
  const [attempt] = await rig.run.attempts();
  if (attempt?.result === undefined) throw new RangeError("no result was recorded");
  const events = await Array.fromAsync(attempt.events());
  return { result: attempt.result, events, rig, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

/** Every sandbox that was made has been disposed of, once. */
export async function expectTornDown({ rig }: TrialOutcome): Promise<void> {
  const disposals = rig.provider.calls
    .filter((call) => call.method === "dispose")
    .map((call) => call.sandbox);
  expect(disposals.sort()).toEqual(rig.provider.sandboxes.map((sandbox) => sandbox.id).sort());
  expect(await rig.provider.list()).toEqual([]);
}
