import type { Maybe } from "../contract/absence.ts";
import type { Random } from "../contract/random.ts";
import type { Interval } from "./interval.ts";
import { wilsonInterval } from "./proportion-interval.ts";

export interface CoverageOptions<T> {
  readonly random: Random;
  readonly rounds: number;
  /** The quantity the interval is for. */
  readonly truth: number;
  /** One data set from the population that has this truth. */
  draw(random: Random): T;
  interval(data: T, random: Random): Maybe<Interval>;
}

/** How often an interval held the truth. */
export interface Coverage {
  /** Rounds in which there was an interval. */
  readonly made: number;
  /** Rounds in which there was none, with a reason. */
  readonly refused: number;
  readonly covered: number;
  /** Of the share `covered / made`; unknown when no interval was made. */
  readonly interval: Maybe<Interval>;
}

/** Draws many data sets and counts how often their intervals hold the truth. Fixed by the seed. */
export function simulateCoverage<T>(options: CoverageOptions<T>): Coverage {
  let made = 0;
  let covered = 0;
  for (let round = 0; round < options.rounds; round++) {
    const random = options.random.fork(`round ${round}`);
    const interval = options.interval(options.draw(random), random);
    if (!interval.known) continue;
    made += 1;
    if (interval.value.low <= options.truth && options.truth <= interval.value.high) covered += 1;
  }
  return { made, refused: options.rounds - made, covered, interval: wilsonInterval(covered, made) };
}
