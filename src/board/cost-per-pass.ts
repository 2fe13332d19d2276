import { unknown } from "../contract/absence.ts";
import type { ScoringPolicy } from "../contract/scoring-policy.ts";
import { type RatioOfMeans, ratioOfMeans } from "../stats/ratio-of-means.ts";
import type { CountedTrial } from "./counted-trial.ts";
import { policyValue } from "./policy-value.ts";

/**
 * US dollars per full pass, workflows weighing alike: mean cost over mean share of passes, with Fieller's interval.
 * Over the trials that the policy scores; unknown when the cost of one of them is, or when none passed.
 */
export function costPerPass(
  trials: readonly CountedTrial[],
  policy: ScoringPolicy,
  level = 0.95,
): RatioOfMeans {
  const byWorkflow = new Map<string, { cost: number; passes: number; count: number }>();
  for (const trial of trials) {
    const value = policyValue(trial, policy);
    if (value.kind !== "score") continue;
    const cost = trial.counted?.result.costUsd ?? unknown("no attempt was finished");
    if (!cost.known) {
      const reason = unknown(`the cost of ${trial.trial} is unknown: ${cost.reason}`);
      return { value: reason, interval: reason, workflows: 0 };
    }
    const sums = byWorkflow.get(trial.workflow) ?? { cost: 0, passes: 0, count: 0 };
    sums.cost += cost.value;
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
    sums.map(({ cost, passes, count }) => ({ numerator: cost / count, denominator: passes / count })),
    level,
  );
}
