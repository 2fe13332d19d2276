import { known, type Maybe, unknown } from "../contract/absence.ts";
import { checkLevel, type Interval } from "./interval.ts";
import { normalQuantile } from "./normal-distribution.ts";

/** A correlation with its interval. */
export interface Correlation {
  readonly value: Maybe<number>;
  readonly interval: Maybe<Interval>;
  readonly pairs: number;
}

/**
 * Pearson's correlation with Fisher's z interval (Metron 1, 1921). Unknown with a constant side; the interval needs four
 * pairs and is unknown at exactly ±1, where the transformation ends.
 */
export function pearson(x: readonly number[], y: readonly number[], level = 0.95): Correlation {
  return correlation(x, y, level, (pairs) => 1 / (pairs - 3), "Fisher z");
}

/**
 * Spearman's rank correlation, ties at their mean rank, with the z interval whose variance is
 * (1 + r²/2) / (n - 3) (Bonett and Wright, Psychometrika 65, 2000).
 */
export function spearman(x: readonly number[], y: readonly number[], level = 0.95): Correlation {
  return correlation(
    meanRanks(x),
    meanRanks(y),
    level,
    (pairs, r) => (1 + (r * r) / 2) / (pairs - 3),
    "Bonett-Wright",
  );
}

/** Ranks from 1 in the order given; equal values share the mean of their ranks. */
export function meanRanks(values: readonly number[]): readonly number[] {
  const order = values
    .map((value, index) => ({ value, index }))
    .sort((one, other) => one.value - other.value);
  const ranks = new Array<number>(values.length).fill(0);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && order[end]?.value === order[start]?.value) end += 1;
    for (const { index } of order.slice(start, end)) ranks[index] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}

function correlation(
  x: readonly number[],
  y: readonly number[],
  level: number,
  variance: (pairs: number, r: number) => number,
  method: string,
): Correlation {
  checkLevel(level);
  if (x.length !== y.length) throw new RangeError(`${x.length} values cannot be paired with ${y.length}`);
  const pairs = x.length;
  const r = coefficient(x, y);
  if (r === undefined) {
    const reason = unknown(pairs < 2 ? "fewer than two pairs" : "one side does not vary");
    return { value: reason, interval: reason, pairs };
  }
  if (pairs < 4) return { value: known(r), interval: unknown("an interval needs four pairs"), pairs };
  if (Math.abs(r) === 1) return { value: known(r), interval: unknown("the pairs lie on one line"), pairs };
  const reach = normalQuantile((1 + level) / 2) * Math.sqrt(variance(pairs, r));
  const z = Math.atanh(r);
  return {
    value: known(r),
    interval: known({ low: Math.tanh(z - reach), high: Math.tanh(z + reach), level, method }),
    pairs,
  };
}

function coefficient(x: readonly number[], y: readonly number[]): number | undefined {
  const meanX = x.reduce((sum, value) => sum + value, 0) / x.length;
  const meanY = y.reduce((sum, value) => sum + value, 0) / y.length;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  x.forEach((value, index) => {
    const dx = value - meanX;
    const dy = (y[index] as number) - meanY;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  });
  if (!(xx > 0 && yy > 0)) return undefined;
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
}
