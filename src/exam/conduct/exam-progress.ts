import type { PlannedTrial } from "../../contract/exam-plan.ts";
import type { TrialPhase } from "../../contract/trial-phase.ts";
import type { TrialResult } from "../../contract/trial-result.ts";
import type { TrialStatus } from "../../contract/trial-status.ts";

/** What an exam tells while it runs. Listeners must not throw. */
export type ExamProgress =
  /** `done`: trials that were finished before and are left alone. */
  | { readonly type: "exam-started"; readonly planned: number; readonly done: number }
  | { readonly type: "attempt-started"; readonly trial: PlannedTrial; readonly attempt: number }
  | {
      readonly type: "phase";
      readonly trial: PlannedTrial;
      readonly attempt: number;
      readonly phase: TrialPhase;
      readonly state: "started" | "ended";
    }
  | { readonly type: "attempt-ended"; readonly trial: PlannedTrial; readonly result: TrialResult }
  | {
      readonly type: "retry-scheduled";
      readonly trial: PlannedTrial;
      readonly after: TrialStatus;
      readonly delayMs: number;
    }
  | { readonly type: "trial-ended"; readonly trial: PlannedTrial; readonly result: TrialResult }
  /** No further trial is started. */
  | { readonly type: "admission-stopped"; readonly because: "stop" | "budget" | "failure" }
  | { readonly type: "exam-ended"; readonly summary: ExamSummary };

/** What an exam has come to. */
export interface ExamSummary {
  /** `stopped`: on request, torn down; `abandoned`: on a second request, left to the reaper. */
  readonly end: "finished" | "stopped" | "abandoned" | "budget-spent";
  readonly planned: number;
  /** Trials with a result that counts: neither cancelled nor missing. */
  readonly finished: number;
  /** Where each trial stands: see `trialStandings`. */
  readonly statuses: Readonly<Partial<Record<TrialStatus, number>>>;
  /** Known costs of every attempt, those before a resume included, in US dollars. */
  readonly costUsd: number;
}
