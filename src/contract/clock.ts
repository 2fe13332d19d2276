/** Time as a parameter: the system's in production, a fixed or stepped one in tests. */
export interface Clock {
  /** Milliseconds since the Unix epoch; may jump when the system clock is set. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. For durations. */
  monotonic(): number;
  /** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
