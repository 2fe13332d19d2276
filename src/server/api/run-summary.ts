import type { ContestantSummary } from "../../board/summarise-run.ts";
import type { TrialStatus } from "../../contract/trial-status.ts";

/** How a trial stands: a status of the attempt that counts, or why there is none. */
export type TrialState = TrialStatus | "running" | "not-finished";

/** A run in the list of runs. */
export interface RunSummary {
  /** Name of its folder. */
  readonly id: string;
  readonly exam: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  readonly contestants: readonly string[];
  readonly planned: number;
  readonly finished: number;
  /** Trials by state. */
  readonly states: Readonly<Partial<Record<TrialState, number>>>;
  readonly policy: string;
  /** `running`: an attempt without an end has written within the last minute. */
  readonly stage: "finished" | "running" | "unfinished";
}

/** A run directory that could not be read. */
export interface UnreadableRun {
  readonly id: string;
  readonly message: string;
}

export interface RunList {
  /** Newest first. */
  readonly runs: readonly RunSummary[];
  readonly unreadable: readonly UnreadableRun[];
}

/** One run. */
export interface RunView extends RunSummary {
  readonly scores: readonly ContestantSummary[];
  readonly provider: string;
  readonly aleVersion: string;
  readonly host: string;
  /** Files of the record that could not be read, in words. */
  readonly problems: readonly string[];
}
