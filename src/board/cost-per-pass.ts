import type { ScoringPolicy } from "../contract/scoring-policy.ts";
import type { RatioOfMeans } from "../stats/ratio-of-means.ts";
import { amountPerPass } from "./amount-per-pass.ts";
import type { CountedTrial } from "./counted-trial.ts";

/** US dollars per full pass; see `amountPerPass`. */
export function costPerPass(
  trials: readonly CountedTrial[],
  policy: ScoringPolicy,
  level = 0.95,
): RatioOfMeans {
  return amountPerPass(trials, policy, { name: "cost", of: (result) => result.costUsd }, level);
}
