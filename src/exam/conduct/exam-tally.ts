import type { TrialResult } from "../../contract/trial-result.ts";
import type { TrialStatus } from "../../contract/trial-status.ts";
import type { AttemptRecord } from "../../record/run-record.ts";
import { knownCost } from "./cost-of-attempt.ts";
import type { ExamSummary } from "./exam-progress.ts";
import { laterStanding, trialStandings } from "./trial-standing.ts";

/** Keeps count of an exam, from what was on disk and from each attempt that ends. */
export class ExamTally {
  readonly #planned: number;
  readonly #standings: Map<string, TrialStatus>;
  #costUsd: number;

  /** @param costUsd of the attempts before. */
  constructor(planned: number, attempts: readonly AttemptRecord[], costUsd: number) {
    this.#planned = planned;
    this.#standings = new Map(trialStandings(attempts));
    this.#costUsd = costUsd;
  }

  standing(trial: string): TrialStatus | undefined {
    return this.#standings.get(trial);
  }

  add(result: TrialResult): void {
    this.#standings.set(result.trial, laterStanding(this.#standings.get(result.trial), result.status));
    this.#costUsd += knownCost(result);
  }

  summary(end: ExamSummary["end"]): ExamSummary {
    const statuses: Partial<Record<TrialStatus, number>> = {};
    for (const status of this.#standings.values()) statuses[status] = (statuses[status] ?? 0) + 1;
    const finished = this.#standings.size - (statuses.cancelled ?? 0);
    return { end, planned: this.#planned, finished, statuses, costUsd: this.#costUsd };
  }
}
