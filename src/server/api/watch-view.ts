/** A trial that is going on. */
export interface WatchedTrial {
  readonly trial: string;
  readonly attempt: number;
  readonly contestant: string;
  readonly instance: string;
  /** Absent where the task is not shown. */
  readonly title?: string;
  /** Of the attempt, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
}

/** A run as the page shows it on which it is watched. */
export interface WatchView {
  readonly run: string;
  readonly exam: string;
  readonly planned: number;
  readonly finished: number;
  /** Whether a process conducts it now. */
  readonly conducted: boolean;
  /** The server's clock, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** Oldest first. */
  readonly running: readonly WatchedTrial[];
  /** The one that was asked for. */
  readonly asked?: string;
}
