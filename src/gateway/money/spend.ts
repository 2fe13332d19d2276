import { known, type Maybe, unknown } from "../../contract/absence.ts";
import type { Limits } from "../../contract/limits.ts";
import { addUsage, noUsage, type Usage } from "../../contract/usage.ts";

/** What one trial has used, against its limits. */
export interface Spend {
  /** Counts one more call, or names the limit that forbids it. */
  admit(): "tokens" | "cost_usd" | "calls" | undefined;
  /** The end of a call that was admitted. */
  settle(usage: Maybe<Usage>, costUsd: Maybe<number>, providerCostUsd: number | undefined): void;
  /** `calls` counts every call admitted. */
  usage(): Usage;
  readonly unmetered: number;
  readonly costUsd: Maybe<number>;
  readonly knownCostUsd: number;
  /** Unknown unless the provider said of every call that it answered. */
  readonly providerCostUsd: Maybe<number>;
}

export function createSpend(limits: Limits): Spend {
  let usage: Usage = noUsage;
  let calls = 0;
  let unmetered = 0;
  let dollars = 0;
  let missing: Maybe<number> | undefined;
  let charged = 0;
  let uncharged = 0;
  const reached = (value: number, limit: number | undefined): boolean =>
    limit !== undefined && value >= limit;

  return {
    admit() {
      if (reached(calls, limits.calls)) return "calls";
      if (reached(usage.input + usage.output, limits.tokens)) return "tokens";
      if (reached(dollars, limits.cost_usd)) return "cost_usd";
      calls++;
      return undefined;
    },
    settle(used, cost, providerCost) {
      if (providerCost !== undefined) charged += providerCost;
      else if (!used.known || used.value.calls > 0) uncharged++;
      if (used.known) usage = addUsage(usage, used.value);
      else unmetered++;
      if (cost.known) dollars += cost.value;
      else missing ??= cost;
    },
    usage: () => ({ ...usage, calls }),
    get unmetered() {
      return unmetered;
    },
    get costUsd() {
      return missing ?? known(dollars);
    },
    get knownCostUsd() {
      return dollars;
    },
    get providerCostUsd() {
      if (uncharged > 0) return unknown("the provider does not say what it charged");
      return Number.isFinite(charged)
        ? known(charged)
        : unknown("what the provider says it charged is no sum");
    },
  };
}
