import { known, type Maybe, unknown } from "../contract/absence.ts";
import { normalCdf } from "./normal-distribution.ts";

/**
 * Two-sided p-value that two independent proportions are equal: the pooled z test without continuity correction
 * (Fleiss, Statistical Methods for Rates and Proportions, 1981; `prop.test(correct = FALSE)` of R). Rates may be means of
 * scores in [0, 1]: these vary no more than passes of the same mean, so that the test then errs to the safe side.
 * Unknown without trials, and where both rates are the same end of the range.
 */
export function twoProportionTest(
  first: { readonly rate: number; readonly trials: number },
  second: { readonly rate: number; readonly trials: number },
): Maybe<number> {
  if (!(first.trials > 0 && second.trials > 0)) return unknown("no trials");
  const trials = first.trials + second.trials;
  const pooled = (first.rate * first.trials + second.rate * second.trials) / trials;
  const variance = pooled * (1 - pooled) * (1 / first.trials + 1 / second.trials);
  if (!(variance > 0)) return unknown("both rates are at the same end");
  return known(Math.min(1, 2 * normalCdf(-Math.abs(first.rate - second.rate) / Math.sqrt(variance))));
}
