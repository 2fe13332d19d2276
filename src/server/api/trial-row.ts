import type { TrialState } from "./run-summary.ts";

/** A trial in a list: the attempt that counts, or the last one. Missing numbers are `null`. */
export interface TrialRow {
  readonly trial: string;
  readonly contestant: string;
  readonly instance: string;
  readonly repeat: number;
  /** The attempt shown; 0 when there is none. */
  readonly attempt: number;
  readonly attempts: number;
  readonly state: TrialState;
  readonly reason: string;
  readonly score: number | null;
  readonly costUsd: number | null;
  readonly wallMs: number | null;
  /** Whether a channel that the task requires was worked around. */
  readonly bypassed: boolean | null;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number | null;
}
