import { known, type Maybe, unknown } from "../contract/absence.ts";
import { checkLevel, type Interval } from "./interval.ts";
import { studentTQuantile } from "./student-t-distribution.ts";

/** One workflow's mean of both sides, e.g. cost and passes of its trials. */
export interface RatioPair {
  readonly numerator: number;
  readonly denominator: number;
}

/** A ratio of two means over the same workflows, e.g. dollars per full pass. */
export interface RatioOfMeans {
  readonly value: Maybe<number>;
  readonly interval: Maybe<Interval>;
  readonly workflows: number;
}

/**
 * Mean numerator over mean denominator with Fieller's interval (J. R. Stat. Soc. B 16, 1954), workflows as clusters.
 * The interval is unknown where the denominator is not separated from zero: then no finite interval can cover.
 */
export function ratioOfMeans(pairs: readonly RatioPair[], level = 0.95): RatioOfMeans {
  checkLevel(level);
  const workflows = pairs.length;
  const numerator = pairs.reduce((sum, pair) => sum + pair.numerator, 0) / workflows;
  const denominator = pairs.reduce((sum, pair) => sum + pair.denominator, 0) / workflows;
  if (workflows === 0 || denominator === 0) {
    const nothing = unknown(workflows === 0 ? "no workflows" : "the denominator is zero");
    return { value: nothing, interval: nothing, workflows };
  }
  const value = known(numerator / denominator);
  if (workflows < 2)
    return { value, interval: unknown("one workflow: its spread cannot be estimated"), workflows };

  let nn = 0;
  let dd = 0;
  let nd = 0;
  for (const pair of pairs) {
    nn += (pair.numerator - numerator) ** 2;
    dd += (pair.denominator - denominator) ** 2;
    nd += (pair.numerator - numerator) * (pair.denominator - denominator);
  }
  const scale = workflows * (workflows - 1);
  const square = studentTQuantile((1 + level) / 2, workflows - 1) ** 2;
  // The limits are the roots r of (n - r d)² = t² Var(n - r d).
  const a = denominator ** 2 - (square * dd) / scale;
  const b = numerator * denominator - (square * nd) / scale;
  const c = numerator ** 2 - (square * nn) / scale;
  const root = b * b - a * c;
  if (a <= 0) {
    return {
      value,
      interval: unknown("the denominator is not separated from zero: no finite interval"),
      workflows,
    };
  }
  if (nn === 0 && dd === 0)
    return { value, interval: unknown("all workflows are alike: no spread to estimate from"), workflows };
  const reach = Math.sqrt(Math.max(0, root));
  if (reach === 0) return { value, interval: unknown("the ratio is the same in every workflow"), workflows };
  return {
    value,
    interval: known({ low: (b - reach) / a, high: (b + reach) / a, level, method: "Fieller" }),
    workflows,
  };
}
