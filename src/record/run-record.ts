import type { ExamLock } from "../contract/exam-lock.ts";
import type { ExamPlan } from "../contract/exam-plan.ts";
import type { Finding } from "../contract/finding.ts";
import type { JsonValue } from "../contract/json-value.ts";
import type { TrialEvent, TrialEventBody } from "../contract/trial-event.ts";
import type { TrialResult } from "../contract/trial-result.ts";
import type { Verdict } from "../contract/verdict.ts";
import type { RegradeRecord } from "./regrade-record.ts";

/** Folders of an attempt that hold files. */
export type AttemptFolder = "artifacts" | "screenshots" | "logs";

/** Writes one attempt. Made by {@link RunRecord.startAttempt}; nothing it wrote is ever overwritten. */
export interface AttemptWriter extends AsyncDisposable {
  readonly trial: string;
  /** 1-based. */
  readonly attempt: number;
  readonly dir: string;
  /** The folder's path, made on first use. */
  folder(name: AttemptFolder): Promise<string>;
  /** Appends to `events.jsonl` in call order, stamping sequence and time. Durable after {@link flush}. */
  append(event: TrialEventBody): void;
  flush(): Promise<void>;
  /** The value without the run's secrets, for what others write into the attempt's folder. */
  redact(value: JsonValue): JsonValue;
  writeVerdict(verdict: Verdict): Promise<void>;
  /** The commit point: an attempt is finished exactly when its `result.json` is there, whole. */
  writeResult(result: TrialResult): Promise<void>;
}

/** A regrade with what it came to. */
export interface Regrade extends RegradeRecord {
  /** Absent when the grader failed again. */
  readonly verdict: Verdict | undefined;
}

/** An attempt as found on disk. */
export interface AttemptRecord {
  readonly trial: string;
  readonly attempt: number;
  readonly dir: string;
  /** Absent: the attempt was cut off and does not count. */
  readonly result: TrialResult | undefined;
  /** As given when the attempt ended. */
  readonly verdict: Verdict | undefined;
  /** Every later grading of the same artifacts, oldest first; which one counts: see `countedGrade`. */
  readonly regrades: readonly Regrade[];
  /** Files that are there but cannot be read as what they should be. */
  readonly problems: readonly Finding[];
  /** Read on demand; a torn last line is left out, a corrupt line is a `note` coded `corrupt-line`. */
  events(): AsyncIterable<TrialEvent>;
}

/** A run directory, open for an exam to write or for a report to read. */
export interface RunRecord {
  readonly dir: string;
  readonly plan: ExamPlan;
  readonly lock: ExamLock;
  /** Every attempt of every trial, ordered by trial and attempt. */
  attempts(): Promise<readonly AttemptRecord[]>;
  /** Claims the trial's next attempt number, also against another process. */
  startAttempt(trial: string): Promise<AttemptWriter>;
}
