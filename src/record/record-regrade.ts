import { join } from "node:path";
import type { Clock } from "../contract/clock.ts";
import type { TrialStatus } from "../contract/trial-status.ts";
import { type Verdict, verdictSchema } from "../contract/verdict.ts";
import { claimNumber } from "./claim-number.ts";
import { createRedactor } from "./redactor.ts";
import { type RegradeRecord, regradeRecordSchema } from "./regrade-record.ts";
import { attemptFiles } from "./run-layout.ts";
import type { AttemptRecord, Regrade } from "./run-record.ts";
import { writeRecordFile } from "./write-record-file.ts";

export interface RecordRegradeOptions {
  readonly attempt: Pick<AttemptRecord, "dir">;
  readonly clock: Clock;
  /** Why it is done, in words. */
  readonly because: string;
  readonly taskHash: string;
  readonly comparabilityKey: string;
  /** The attempt's status in the light of this grading. */
  readonly status: TrialStatus;
  readonly outcome:
    | { readonly kind: "verdict"; readonly verdict: Verdict }
    | { readonly kind: "verifier-error"; readonly message: string };
  readonly secrets?: readonly string[];
}

/** Adds a regrade beside an attempt: `regrades/<n>/`. Its `regrade.json` comes last, and commits it. */
export async function recordRegrade(options: RecordRegradeOptions): Promise<Regrade> {
  const redactor = createRedactor(options.secrets ?? []);
  const { number, dir } = await claimNumber(join(options.attempt.dir, attemptFiles.regrades));
  const verdict = options.outcome.kind === "verdict" ? options.outcome.verdict : undefined;
  if (verdict !== undefined) {
    await writeRecordFile(join(dir, attemptFiles.verdict), verdictSchema, verdict, redactor);
  }
  const record: RegradeRecord = {
    schema: "ale/regrade@1",
    regrade: number,
    at: options.clock.now(),
    because: options.because,
    taskHash: options.taskHash,
    comparabilityKey: options.comparabilityKey,
    status: options.status,
    outcome: options.outcome.kind === "verdict" ? { kind: "verdict" } : options.outcome,
  };
  await writeRecordFile(join(dir, attemptFiles.regrade), regradeRecordSchema, record, redactor);
  return { ...record, verdict };
}
