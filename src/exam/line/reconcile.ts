import type { Maybe } from "../../contract/absence.ts";
import type { TrialAccounts } from "../../contract/trial-accounts.ts";
import type { Usage } from "../../contract/usage.ts";
import type { TrialMeter } from "../../gateway/gateway.ts";
import type { HarnessOutcome } from "../../harness/harness.ts";

/** Two figures differ when they are apart by more than this share of the larger. */
const tolerance = 0.01;

const compared = ["input", "cached", "cacheWrite", "output"] as const;
const names = { input: "input", cached: "cached", cacheWrite: "cache-write", output: "output" } as const;

/**
 * Puts the three accounts of a trial beside one another, and says where they do not agree. A harness that leaves some of
 * its calls out by design is not held to the others' figures.
 */
export function reconcile(
  meter: TrialMeter,
  harness: Pick<HarnessOutcome, "usage" | "costUsd"> | undefined,
  claimsAllCalls = true,
): TrialAccounts {
  const untold = { known: false, reason: "the harness did not return" } as const;
  const claimed = harness ?? { usage: untold, costUsd: untold };
  return {
    gateway: {
      usage: meter.usage,
      unmetered: meter.unmetered,
      costUsd: meter.costUsd,
      knownCostUsd: meter.knownCostUsd,
      waitedMs: meter.waitedMs,
    },
    provider: { costUsd: meter.providerCostUsd },
    harness: { usage: claimed.usage, costUsd: claimed.costUsd },
    differences: [
      ...(claimsAllCalls
        ? [
            ...tokenDifferences(meter.usage, claimed.usage),
            ...costDifference("the harness", meter.costUsd, claimed.costUsd),
          ]
        : []),
      ...costDifference("the provider", meter.costUsd, meter.providerCostUsd),
    ],
    substitutions: meter.substitutions.map(({ asked, served }) => `${asked} → ${served}`),
    refusals: meter.refusals,
    failures: meter.failures.map(({ model, status, message }) =>
      status === 0 ? `${model}: ${message}` : `${model}: HTTP ${status}: ${message}`,
    ),
    rejected: meter.rejected,
  };
}

function tokenDifferences(counted: Usage, claimed: Maybe<Usage>): readonly string[] {
  if (!claimed.known) return [];
  return compared
    .filter((part) => differ(counted[part], claimed.value[part]))
    .map((part) => `${names[part]} tokens: the gateway ${counted[part]}, the harness ${claimed.value[part]}`);
}

function costDifference(who: string, counted: Maybe<number>, claimed: Maybe<number>): readonly string[] {
  if (!counted.known || !claimed.known || !differ(counted.value, claimed.value)) return [];
  return [`cost: the price table $${counted.value.toFixed(6)}, ${who} $${claimed.value.toFixed(6)}`];
}

function differ(first: number, second: number): boolean {
  return Math.abs(first - second) > tolerance * Math.max(first, second);
}
