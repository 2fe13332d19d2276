/** A confidence interval, with how it was made. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  /** Confidence, e.g. 0.95. */
  readonly level: number;
  /** The method's usual name, e.g. `Wilson`. */
  readonly method: string;
}

/** `RangeError` unless the level is inside (0, 1). */
export function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) throw new RangeError(`a confidence level lies inside (0, 1), not ${level}`);
}

/** The interval cut to the range the quantity can have. */
export function clipInterval(interval: Interval, low: number, high: number): Interval {
  return {
    ...interval,
    low: Math.min(high, Math.max(low, interval.low)),
    high: Math.max(low, Math.min(high, interval.high)),
  };
}
