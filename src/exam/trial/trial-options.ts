/** Limits of a trial's phases beside the agent's own, which the task and the exam give. All in milliseconds. */
export interface TrialOptions {
  readonly provisionMs?: number;
  /** Staging and the task's setup together. */
  readonly setupMs?: number;
  /** For a harness to return once its session's signal is aborted. */
  readonly agentGraceMs?: number;
  /** For the answer to a call that a harness left after a long silence: whether it comes tells whose failure that was. */
  readonly judgingMs?: number;
  readonly quiesceMs?: number;
  readonly collectMs?: number;
  /** Added to the grader's own limit, for making and removing its machine. */
  readonly verifyOverheadMs?: number;
  readonly recordMs?: number;
  readonly teardownMs?: number;
  /** For any other phase to return once its signal is aborted. */
  readonly graceMs?: number;
  /** Between two writings of the budget file. */
  readonly budgetRefreshMs?: number;
}

/** Every limit of a trial, nothing left to defaults. */
export type ResolvedTrialOptions = Required<TrialOptions>;

const second = 1000;
const minute = 60 * second;

const defaults: ResolvedTrialOptions = {
  provisionMs: 10 * minute,
  setupMs: 30 * minute,
  agentGraceMs: 30 * second,
  judgingMs: 15 * minute,
  quiesceMs: 2 * minute,
  collectMs: 10 * minute,
  verifyOverheadMs: 2 * minute,
  recordMs: 2 * minute,
  teardownMs: 2 * minute,
  graceMs: 10 * second,
  budgetRefreshMs: 15 * second,
};

/** The options with every absent limit at its default. */
export function resolveTrialOptions(options: TrialOptions = {}): ResolvedTrialOptions {
  return { ...defaults, ...options };
}
