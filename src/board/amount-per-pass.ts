import { type Maybe, unknown } from "../contract/absence.ts";
import type { ScoringPolicy } from "../contract/scoring-policy.ts";
import type { TrialResult } from "../contract/trial-result.ts";
import { type RatioOfMeans, ratioOfMeans } from "../stats/ratio-of-means.ts";
import type { CountedTrial } from "./counted-trial.ts";
import { policyValue } from "./policy-value.ts";

/**
 * An amount (dollars, tokens, time) per full pass, workflows weighing alike: mean amount over mean share of passes, with
 * Fieller's interval. Over the trials that the policy scores; unknown when the amount of one of them is, or when none
 * passed.
 */
export function amountPerPass(
  trials: readonly CountedTrial[],
  policy: ScoringPolicy,
  amount: { readonly name: string; of(result: TrialResult): Maybe<number> },
  level = 0.95,
): RatioOfMeans {
  const byWorkflow = new Map<string, { amount: number; passes: number; count: number }>();
  for (const trial of trials) {
    const value = policyValue(trial, policy);
    if (value.kind !== "score") continue;
    const own =
      trial.counted === undefined ? unknown("no attempt was finished") : amount.of(trial.counted.result);
    if (!own.known) {
      const reason = unknown(`the ${amount.name} of ${trial.trial} is unknown: ${own.reason}`);
      return { value: reason, interval: reason, workflows: 0 };
    }
    const sums = byWorkflow.get(trial.workflow) ?? { amount: 0, passes: 0, count: 0 };
    sums.amount += own.value;
    sums.passes += Number(value.score === 1);
    sums.count += 1;
    byWorkflow.set(trial.workflow, sums);
  }
  const sums = [...byWorkflow.values()];
  if (sums.every((sum) => sum.passes === 0)) {
    const reason = unknown("nothing was passed in full");
    return { value: reason, interval: reason, workflows: sums.length };
  }
  return ratioOfMeans(
    sums.map(({ amount: total, passes, count }) => ({
      numerator: total / count,
      denominator: passes / count,
    })),
    level,
  );
}
