import { known, type Maybe, unknown } from "../../contract/absence.ts";
import type { ScoringPolicy } from "../../contract/scoring-policy.ts";
import type { TrialResult } from "../../contract/trial-result.ts";
import type { Usage } from "../../contract/usage.ts";
import { clusteredMean } from "../../stats/clustered-mean.ts";
import { paretoFront } from "../../stats/pareto-front.ts";
import { amountPerPass } from "../amount-per-pass.ts";
import type { BoardEntry } from "../board-entry.ts";
import type { CountedTrial } from "../counted-trial.ts";
import { laneEstimate, type Measure } from "../lane-estimate.ts";
import { type Figure, toFigure } from "./figure.ts";

/** An amount per trial, workflows weighing alike, and per full pass. */
export interface AmountUse {
  readonly perTrial: Figure;
  readonly perPass: Figure;
}

/** What a contestant's work took. Only finished attempts that count; retries of the house's failures are not charged. */
export interface ResourceUse {
  readonly contestant: string;
  readonly trials: number;
  readonly score: Figure;
  readonly costUsd: AmountUse;
  readonly inputTokens: AmountUse;
  readonly cachedTokens: AmountUse;
  readonly outputTokens: AmountUse;
  readonly calls: AmountUse;
  readonly wallMs: AmountUse;
  readonly workingMs: AmountUse;
  /** Nobody else on this board scores as much for less; unknown where score or cost is. */
  readonly onParetoFront: boolean | null;
  readonly onParetoFrontReason?: string;
}

const ofUsage =
  (kind: keyof Usage) =>
  (result: TrialResult): Maybe<number> =>
    result.usage.known ? known(result.usage.value[kind]) : result.usage;

const amounts = {
  costUsd: { name: "cost", of: (result: TrialResult) => result.costUsd },
  inputTokens: { name: "input tokens", of: ofUsage("input") },
  cachedTokens: { name: "cached tokens", of: ofUsage("cached") },
  outputTokens: { name: "output tokens", of: ofUsage("output") },
  calls: { name: "number of calls", of: ofUsage("calls") },
  wallMs: { name: "time", of: (result: TrialResult) => known(result.wallMs) },
  workingMs: { name: "working time", of: (result: TrialResult) => known(result.workingMs) },
} as const;

type Amount = (typeof amounts)[keyof typeof amounts];

/** Cost, tokens and time per trial and per pass, and who stands on the Pareto front of score against cost. */
export function resourceUse(
  entries: readonly BoardEntry[],
  options: { readonly policy: ScoringPolicy; readonly measure: Measure },
): readonly ResourceUse[] {
  const rows = entries.map((entry) => {
    const score = laneEstimate(entry.trials, options.measure, options);
    return { entry, score, perTrial: perTrial(entry.trials, amounts.costUsd) };
  });
  const points = rows.flatMap(({ entry, score, perTrial: cost }) =>
    score.value.known && cost.value.known
      ? [{ contestant: entry.contestant, key: entry.key, worth: score.value.value, cost: cost.value.value }]
      : [],
  );
  // Conditions that differ are no trade-off: every key has a front of its own.
  const fronts = [...Map.groupBy(points, (point) => point.key).values()].flatMap(paretoFront);
  const front = new Set(fronts.map((point) => point.contestant));
  const placed = new Set(points.map((point) => point.contestant));
  return rows.map(({ entry, score }): ResourceUse => {
    const { contestant, trials } = entry;
    const use = (amount: Amount): AmountUse => ({
      perTrial: toFigure(perTrial(trials, amount)),
      perPass: toFigure(amountPerPass(trials, options.policy, amount)),
    });
    return {
      contestant,
      trials: trials.length,
      score: toFigure(score),
      costUsd: use(amounts.costUsd),
      inputTokens: use(amounts.inputTokens),
      cachedTokens: use(amounts.cachedTokens),
      outputTokens: use(amounts.outputTokens),
      calls: use(amounts.calls),
      wallMs: use(amounts.wallMs),
      workingMs: use(amounts.workingMs),
      ...(placed.has(contestant)
        ? { onParetoFront: front.has(contestant) }
        : { onParetoFront: null, onParetoFrontReason: "its score or its cost is unknown" }),
    };
  });
}

function perTrial(trials: readonly CountedTrial[], amount: Amount): ReturnType<typeof clusteredMean> {
  const values = trials.map(({ counted }) =>
    counted === undefined ? unknown("no attempt was finished") : amount.of(counted.result),
  );
  const missing = values.filter((value) => !value.known);
  const estimate = clusteredMean(
    trials.flatMap(({ workflow, instance }, index) => {
      const value = values[index];
      return value?.known ? [{ workflow, instance, value: value.value }] : [];
    }),
  );
  const [first] = missing;
  if (first === undefined || first.known) return estimate;
  const reason = unknown(
    `the ${amount.name} is unknown for ${missing.length} of ${trials.length} trials: ${first.reason}`,
  );
  return { ...estimate, value: reason, interval: reason };
}
