import { known, type Maybe, unknown } from "../contract/absence.ts";
import { createRandom } from "../contract/random.ts";
import type { ScoringPolicy } from "../contract/scoring-policy.ts";
import type { Estimand } from "../stats/clusters.ts";
import type { Interval } from "../stats/interval.ts";
import { rankScores } from "../stats/rank-scores.ts";
import { scoreTableOf } from "../stats/score-table.ts";
import type { BandPlace } from "../stats/tie-bands.ts";
import type { BoardEntry } from "./board-entry.ts";
import { type ChannelBypass, channelBypass } from "./channel-bypass.ts";
import { sumOver } from "./counted-trial.ts";
import { type KeyDifference, keyDifferences } from "./key-differences.ts";
import { type LaneEstimate, laneEstimate, laneObservations, type Measure } from "./lane-estimate.ts";
import { type Nullable, nullable } from "./nullable.ts";

/** What may be ranked together. */
export type VerifiedLane = "full-pass-verified" | "mean-verified";

/** A contestant on a board. Values are in [0, 1], cost in US dollars over the trials that count. */
export type BoardRow = Nullable<
  "value" | "low" | "high" | "bracketLow" | "bracketHigh" | "band" | "rankLow" | "rankHigh" | "costUsd"
> & {
  readonly contestant: string;
  /** Trials the value is made of. */
  readonly n: number;
  readonly workflows: number;
  readonly missing: number;
  readonly excluded: number;
  /** How the interval was made; `none` where there is none. */
  readonly method: string;
  /** Beside the value, which it never changes. */
  readonly bypass: ChannelBypass;
} & Partial<Nullable<"bootstrapLow" | "bootstrapHigh">>;

/** Rows of one lane, one policy and one comparability key, best first. */
export interface Board {
  readonly lane: VerifiedLane;
  readonly policy: string;
  readonly key: string;
  readonly estimand: Estimand;
  readonly level: number;
  readonly rows: readonly BoardRow[];
}

/** A board; or boards that stand apart, with the reason in words and field by field. */
export type BoardOutcome =
  | { readonly kind: "board"; readonly board: Board }
  | {
      readonly kind: "unequal-keys";
      readonly message: string;
      /** One for each key, that of most rows first. */
      readonly boards: readonly Board[];
      /** Of the first row of every other board to the first row of the first. */
      readonly differences: readonly KeyDifference[];
    }
  | { readonly kind: "nothing"; readonly message: string };

export interface BoardOptions {
  readonly lane: VerifiedLane;
  readonly policy: ScoringPolicy;
  /** Default `workflow`. */
  readonly estimand?: Exclude<Estimand, "trial">;
  /** Confidence of intervals, and family-wise of bands; default 0.95. */
  readonly level?: number;
  /** Bootstrap intervals over workflows (BCa) beside the t intervals; the same seed gives the same ones. */
  readonly bootstrap?: { readonly resamples: number; readonly seed: number };
}

/**
 * Ranks rows as far as they can be: tie bands and rank intervals from paired comparisons on shared instances,
 * Holm-corrected over all pairs. Rows of unequal comparability keys are never ranked together.
 */
export function boardRows(entries: readonly BoardEntry[], options: BoardOptions): BoardOutcome {
  const groups = [...Map.groupBy(entries, (entry) => entry.key)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  const boards = groups.map(([key, group]) => rank(key, group, options));
  const [board] = boards;
  const [reference] = groups[0]?.[1] ?? [];
  if (board === undefined || reference === undefined)
    return { kind: "nothing", message: "there are no trials to rank" };
  if (boards.length === 1) return { kind: "board", board };
  const differences = groups
    .slice(1)
    .flatMap(([, [other]]) => (other === undefined ? [] : keyDifferences(reference, other)));
  const apart = groups.slice(1).flatMap(([, group]) => group.map((entry) => entry.contestant));
  const fields = [...new Set(differences.map((difference) => difference.field))];
  const shown = fields.slice(0, 5).join("; ") + (fields.length > 5 ? `; and ${fields.length - 5} more` : "");
  const message = `${apart.join(", ")} cannot be ranked with ${reference.contestant}: not the same in ${shown}`;
  return { kind: "unequal-keys", message, boards, differences };
}

interface Candidate {
  readonly entry: BoardEntry;
  readonly estimate: LaneEstimate;
}

interface Ranked extends Candidate {
  readonly place: Maybe<BandPlace>;
  readonly bootstrap: Maybe<Interval>;
}

function rank(key: string, group: readonly BoardEntry[], options: BoardOptions): Board {
  const { lane, policy, estimand = "workflow", level = 0.95, bootstrap } = options;
  const measure: Measure = lane === "mean-verified" ? "mean" : "full-pass";
  const candidates = group
    .toSorted((one, other) => (one.contestant < other.contestant ? -1 : 1))
    .map((entry): Candidate => {
      const estimate = laneEstimate(entry.trials, measure, { policy, estimand, level });
      const [mixed] = entry.mixed;
      if (mixed === undefined) return { entry, estimate };
      const refused = unknown(`${mixed} was graded under more than one comparability key`);
      return { entry, estimate: { ...estimate, value: refused, interval: refused } };
    });
  const [scored, rest] = [true, false].map((wanted) =>
    candidates.filter(({ estimate }) => estimate.value.known === wanted),
  ) as [Candidate[], Candidate[]];
  const table = scoreTableOf(scored.map(({ entry }) => laneObservations(entry.trials, measure, policy)));
  const scores = rankScores(table, {
    estimand,
    level,
    range: [0, 1],
    ...(bootstrap === undefined
      ? {}
      : { bootstrap: { random: createRandom(bootstrap.seed), resamples: bootstrap.resamples } }),
  });
  const ranked = scored
    .map(
      (candidate, index): Ranked => ({
        ...candidate,
        ...(scores[index] ?? unranked),
        estimate: candidate.estimate,
      }),
    )
    .sort((one, other) => rankingValue(other) - rankingValue(one));
  const rows = [...ranked, ...rest.map((candidate) => ({ ...candidate, ...unranked }))];
  return {
    lane,
    policy: policy.name,
    key,
    estimand,
    level,
    rows: rows.map((row) => toRow(row, bootstrap !== undefined)),
  };
}

const unranked: Pick<Ranked, "place" | "bootstrap"> = {
  place: unknown("a row without a value is not ranked"),
  bootstrap: unknown("a row without a value has no interval"),
};

function toRow({ entry, estimate, place, bootstrap }: Ranked, withBootstrap: boolean): BoardRow {
  const { interval, bracket } = estimate;
  const pick = (field: keyof BandPlace): Maybe<number> => (place.known ? known(place.value[field]) : place);
  return {
    contestant: entry.contestant,
    n: estimate.trials,
    ...nullable("value", estimate.value),
    ...nullable("low", interval.known ? known(interval.value.low) : interval),
    ...nullable("high", interval.known ? known(interval.value.high) : interval),
    ...nullable("band", pick("band")),
    ...nullable("rankLow", pick("rankLow")),
    ...nullable("rankHigh", pick("rankHigh")),
    ...nullable(
      "costUsd",
      sumOver(entry.trials, (result) => result.costUsd),
    ),
    ...nullable("bracketLow", bracket.low),
    ...nullable("bracketHigh", bracket.high),
    workflows: estimate.workflows,
    missing: estimate.missing,
    excluded: estimate.excluded,
    method: interval.known ? interval.value.method : "none",
    bypass: channelBypass(entry.trials),
    ...(withBootstrap
      ? {
          ...nullable("bootstrapLow", bootstrap.known ? known(bootstrap.value.low) : bootstrap),
          ...nullable("bootstrapHigh", bootstrap.known ? known(bootstrap.value.high) : bootstrap),
        }
      : {}),
  };
}

/** For candidates whose value is known. */
function rankingValue({ estimate }: Candidate): number {
  return estimate.value.known ? estimate.value.value : Number.NEGATIVE_INFINITY;
}
