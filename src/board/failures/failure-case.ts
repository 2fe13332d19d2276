import type { Limits } from "../../contract/limits.ts";
import type { TrialResult } from "../../contract/trial-result.ts";
import type { CountedGrade } from "../../record/counted-grade.ts";
import type { AttemptTrace } from "./attempt-trace.ts";

/** What is asked about a finished attempt. */
export interface FailureCase {
  readonly result: TrialResult;
  readonly grade: CountedGrade;
  readonly trace: AttemptTrace;
  /** The limits it ran under; absent where the run's lock does not tell. */
  readonly limits?: Limits;
  /** Of the task, where its package is still there. */
  readonly task?: {
    readonly software: readonly string[];
    readonly requiredChannel?: string;
    readonly channels: readonly string[];
    readonly canary: string;
  };
}

/** What a rule says of a case. A rule that cannot tell says why: it is never taken for a no. */
export type RuleFinding =
  | { readonly kind: "yes"; readonly evidence: readonly string[] }
  | { readonly kind: "no" }
  | { readonly kind: "cannot-tell"; readonly reason: string };

/** A label given by rule. */
export interface FailureRule {
  readonly id: string;
  /** What it means, in words. */
  readonly meaning: string;
  /** Subclass of the label scheme that it points to, where it points to one. */
  readonly suggests?: string;
  judge(failure: FailureCase): RuleFinding;
}

/** Yes with evidence when there is any. */
export function yesWhere(evidence: readonly string[]): RuleFinding {
  return evidence.length > 0 ? { kind: "yes", evidence } : { kind: "no" };
}
