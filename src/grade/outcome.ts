import type { JsonValue } from "../contract/json-value.ts";

/** What a grader says of one thing: a score in [0, 1], why, and the facts behind it. */
export interface Outcome {
  readonly score: number;
  /** One sentence, for people: what was expected, what was found. */
  readonly message: string;
  /** Differences, at most a few dozen, largest first. */
  readonly evidence?: JsonValue;
}
