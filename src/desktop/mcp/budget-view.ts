import type { Maybe } from "../../contract/absence.ts";

/** How much of something a contestant has used, and how much it may. */
export interface Allowance {
  readonly used: Maybe<number>;
  /** Absent = no limit of this kind. */
  readonly limit?: number;
}

/** A contestant's time and budget at this moment. */
export interface BudgetView {
  readonly wallSeconds: Allowance;
  /** Wall time less the waits on rate limits. */
  readonly workingSeconds: Allowance;
  /** Input and output together, cached input included. */
  readonly tokens: Allowance;
  readonly costUsd: Allowance;
  readonly calls: Allowance;
}
