import { z } from "zod";

/**
 * What a status counts as, declared before the exam and recorded with it.
 * `graded`: the verdict's score, or 0 without a verdict. `zero`: 0 whatever was left.
 * `excluded`: out of the denominator, named in the report. `missing`: unknown, in the bracket.
 */
export type StatusScore = "graded" | "zero" | "excluded" | "missing";

export interface ScoringPolicy {
  readonly name: string;
  readonly completed: "graded";
  readonly timeout: StatusScore;
  readonly budget_exceeded: StatusScore;
  readonly refused: StatusScore;
  readonly agent_error: StatusScore;
  readonly env_error: StatusScore;
  readonly task_error: StatusScore;
  readonly verifier_error: StatusScore;
  readonly cancelled: StatusScore;
}

/** Contestants answer for what they did; the house's failures stay unknown. */
export const observedPolicy: ScoringPolicy = {
  name: "observed",
  completed: "graded",
  timeout: "graded",
  budget_exceeded: "graded",
  refused: "zero",
  agent_error: "graded",
  env_error: "missing",
  task_error: "missing",
  verifier_error: "missing",
  cancelled: "missing",
};

/** As on ALE's published board: whatever is missing counts as a failure. */
export const aleMissingZeroPolicy: ScoringPolicy = {
  ...observedPolicy,
  name: "ale-missing-zero",
  env_error: "zero",
  task_error: "zero",
  verifier_error: "zero",
  cancelled: "zero",
};

const statusScore = z.enum(["graded", "zero", "excluded", "missing"]);

export const scoringPolicySchema: z.ZodType<ScoringPolicy> = z.strictObject({
  name: z.string().min(1),
  completed: z.literal("graded"),
  timeout: statusScore,
  budget_exceeded: statusScore,
  refused: statusScore,
  agent_error: statusScore,
  env_error: statusScore,
  task_error: statusScore,
  verifier_error: statusScore,
  cancelled: statusScore,
});
