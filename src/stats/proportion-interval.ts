import { known, type Maybe, unknown } from "../contract/absence.ts";
import { betaQuantile } from "./incomplete-beta.ts";
import { checkLevel, type Interval } from "./interval.ts";
import { normalQuantile } from "./normal-distribution.ts";

/**
 * Wilson's score interval for a proportion of independent trials (JASA 22, 1927), without continuity correction.
 * Unknown without trials.
 */
export function wilsonInterval(passes: number, trials: number, level = 0.95): Maybe<Interval> {
  checkCounts(passes, trials, level);
  return trials === 0 ? unknown("no trials") : wilsonIntervalOfRate(passes / trials, trials, level);
}

/**
 * The same from a published rate. A mean of `trials` scores in [0, 1] may stand for the rate: scores vary no more than
 * passes of the same mean, so that the interval is then the widest there can be.
 */
export function wilsonIntervalOfRate(rate: number, trials: number, level = 0.95): Maybe<Interval> {
  checkLevel(level);
  if (!(rate >= 0 && rate <= 1)) throw new RangeError(`${rate} is not in [0, 1]`);
  if (!(trials > 0)) return unknown("no trials");
  const z = normalQuantile((1 + level) / 2);
  const spread = z * Math.sqrt((rate * (1 - rate) + (z * z) / (4 * trials)) / trials);
  const centre = rate + (z * z) / (2 * trials);
  const scale = 1 + (z * z) / trials;
  return known({
    low: rate === 0 ? 0 : (centre - spread) / scale,
    high: rate === 1 ? 1 : (centre + spread) / scale,
    level,
    method: "Wilson",
  });
}

/**
 * The exact interval of Clopper and Pearson (Biometrika 26, 1934): covers at least `level`, whatever the proportion.
 * Unknown without trials.
 */
export function clopperPearsonInterval(passes: number, trials: number, level = 0.95): Maybe<Interval> {
  checkCounts(passes, trials, level);
  if (trials === 0) return unknown("no trials");
  const tail = (1 - level) / 2;
  return known({
    low: passes === 0 ? 0 : betaQuantile(tail, passes, trials - passes + 1),
    high: passes === trials ? 1 : betaQuantile(1 - tail, passes + 1, trials - passes),
    level,
    method: "Clopper-Pearson",
  });
}

function checkCounts(passes: number, trials: number, level: number): void {
  checkLevel(level);
  if (!Number.isInteger(passes) || !Number.isInteger(trials) || passes < 0 || passes > trials) {
    throw new RangeError(`${passes} of ${trials} is no count of passes`);
  }
}
