import type { ScoringPolicy } from "../contract/scoring-policy.ts";
import type { CountedTrial } from "./counted-trial.ts";

/** What a trial counts as under a scoring policy. */
export type PolicyValue =
  | { readonly kind: "score"; readonly score: number }
  /** Out of the denominator. */
  | { readonly kind: "excluded"; readonly reason: string }
  /** Unknown: out of the point value, at both ends of the bracket. */
  | { readonly kind: "missing"; readonly reason: string };

/** Applies the policy. A trial without a finished attempt counts as `cancelled` does. */
export function policyValue(trial: CountedTrial, policy: ScoringPolicy): PolicyValue {
  const { counted } = trial;
  const status = counted?.grade.status ?? "cancelled";
  const reason = counted === undefined ? "not finished" : status;
  switch (policy[status]) {
    case "graded":
      return { kind: "score", score: counted?.grade.score.known ? counted.grade.score.value : 0 };
    case "zero":
      return { kind: "score", score: 0 };
    case "excluded":
      return { kind: "excluded", reason };
    case "missing":
      return { kind: "missing", reason };
  }
}
