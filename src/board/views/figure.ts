import { known, type Maybe } from "../../contract/absence.ts";
import type { Interval } from "../../stats/interval.ts";
import { type Nullable, nullable } from "../nullable.ts";

/** A value with its interval, for JSON. */
export type Figure = Nullable<"value" | "low" | "high">;

/** What estimates of every kind have in common. */
export interface Estimated {
  readonly value: Maybe<number>;
  readonly interval: Maybe<Interval>;
}

/** The figure of an estimate: absent numbers are `null` with their reason. */
export function toFigure({ value, interval }: Estimated): Figure {
  return {
    ...nullable("value", value),
    ...nullable("low", interval.known ? known(interval.value.low) : interval),
    ...nullable("high", interval.known ? known(interval.value.high) : interval),
  };
}
