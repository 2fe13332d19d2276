import { z } from "zod";
import { type Maybe, maybeSchema } from "./absence.ts";
import { maybeUsageSchema, type Usage, usageSchema } from "./usage.ts";

/**
 * What an attempt used of models, by each of those who counted: the gateway, which saw every call; the provider, where
 * it says what it charged; the harness, by its own word.
 */
export interface TrialAccounts {
  readonly gateway: {
    /** From the provider's own numbers in each answer. */
    readonly usage: Usage;
    /** Calls whose usage the provider never told. */
    readonly unmetered: number;
    /** By the price table. */
    readonly costUsd: Maybe<number>;
    /** Over the calls whose cost is known. */
    readonly knownCostUsd: number;
    /** Spent on rate limits, retries and tries that gave no answer, over all calls, in milliseconds. */
    readonly waitedMs: number;
  };
  readonly provider: { readonly costUsd: Maybe<number> };
  readonly harness: { readonly usage: Maybe<Usage>; readonly costUsd: Maybe<number> };
  /** Where the three do not agree, in words. */
  readonly differences: readonly string[];
  /** `asked → served`, where another model answered than was asked for. */
  readonly substitutions: readonly string[];
  /** What the provider or the model declined. */
  readonly refusals: readonly string[];
  /** Calls lost to the upstream for good, in words. */
  readonly failures: readonly string[];
  /** Calls that were not sent on, in words. */
  readonly rejected: readonly string[];
}

const dollars = maybeSchema(z.number().nonnegative());
const words = z.array(z.string());

export const trialAccountsSchema: z.ZodType<TrialAccounts> = z.strictObject({
  gateway: z.strictObject({
    usage: usageSchema,
    unmetered: z.int().nonnegative(),
    costUsd: dollars,
    knownCostUsd: z.number().nonnegative(),
    waitedMs: z.number().nonnegative(),
  }),
  provider: z.strictObject({ costUsd: dollars }),
  harness: z.strictObject({ usage: maybeUsageSchema, costUsd: dollars }),
  differences: words,
  substitutions: words,
  refusals: words,
  failures: words,
  rejected: words,
});
