/** What had been used up when an item was over: sums over it and all before it. */
export interface UsagePoint {
  /** Number of the item, from 0. */
  readonly item: number;
  /** Tokens; `input` includes `cached`. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** Over the items whose cost is known. */
  readonly costUsd: number;
}

/** Tokens and cost along a file of items. */
export interface UsageTrack {
  /** Items that took a model: those that tell their tokens, or say that they are not known. */
  readonly taken: number;
  readonly withTokens: number;
  readonly withCost: number;
  /** In order; of a long file not every item, but always the last one that adds something. */
  readonly points: readonly UsagePoint[];
}
