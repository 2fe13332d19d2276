import { known, type Maybe, unknown } from "../contract/absence.ts";
import { parseInstanceId } from "../contract/ids.ts";
import type { TrialResult } from "../contract/trial-result.ts";
import { holm } from "../stats/holm.ts";
import { pairedDifference, pairedSide } from "../stats/paired-difference.ts";
import type { BoardEntry } from "./board-entry.ts";
import { type CompareOptions, type Comparison, compareEntries } from "./compare-entries.ts";
import type { CountedTrial } from "./counted-trial.ts";
import type { Behaviour } from "./failures/behaviour.ts";
import { type Nullable, nullable } from "./nullable.ts";

/** Means of either side over what they share, and the second minus the first with its interval. */
export type SideDifference = Nullable<"first" | "second" | "difference" | "low" | "high">;

export interface ComparisonDetails {
  /** By domain; p-values corrected by Holm over the domains. */
  readonly domains: readonly (Pick<Comparison, "sharedInstances" | "fullPass" | "mean"> & {
    readonly domain: string;
    readonly pHolm: number | null;
  })[];
  /** Mean score of each stage, over the shared instances that both have a verdict for. */
  readonly stages: readonly {
    readonly workflow: string;
    readonly stage: string;
    readonly instances: number;
    readonly first: number;
    readonly second: number;
    readonly difference: number;
  }[];
  /** Per trial. */
  readonly amounts: readonly (SideDifference & { readonly amount: string })[];
  /** Per trial with a trajectory. */
  readonly behaviour: readonly (SideDifference & { readonly what: keyof Behaviour })[];
}

const amounts: readonly { readonly amount: string; of(result: TrialResult): Maybe<number> }[] = [
  { amount: "costUsd", of: (result) => result.costUsd },
  { amount: "inputTokens", of: ({ usage }) => (usage.known ? known(usage.value.input) : usage) },
  { amount: "outputTokens", of: ({ usage }) => (usage.known ? known(usage.value.output) : usage) },
  { amount: "calls", of: ({ usage }) => (usage.known ? known(usage.value.calls) : usage) },
  { amount: "wallMs", of: (result) => known(result.wallMs) },
  { amount: "workingMs", of: (result) => known(result.workingMs) },
];

const behaviours: readonly (keyof Behaviour)[] = [
  "calls",
  "screenCalls",
  "failedCalls",
  "messages",
  "compactions",
];

/**
 * What lies behind a comparison, on the instances it is made of.
 * @param behaviourOf of a trial's counted attempt; `undefined` where nothing was recorded.
 */
export function compareDetails(
  first: BoardEntry,
  second: BoardEntry,
  options: CompareOptions & { behaviourOf(result: TrialResult): Behaviour | undefined },
): ComparisonDetails {
  const comparable = comparableInstances(first, second);
  const part = (entry: BoardEntry): readonly CountedTrial[] =>
    entry.trials.filter((trial) => comparable.has(trial.instance));
  const sides = [part(first), part(second)] as const;
  return {
    domains: compareDomains(first, second, options),
    stages: compareStages(sides),
    amounts: amounts.map(({ amount, of }) => ({ amount, ...compareAmount(sides, of) })),
    behaviour: behaviours.map((what) => ({
      what,
      ...compareAmount(sides, (result) => {
        const behaviour = options.behaviourOf(result);
        return behaviour === undefined ? unknown("no trajectory was recorded") : known(behaviour[what]);
      }),
    })),
  };
}

function comparableInstances(first: BoardEntry, second: BoardEntry): ReadonlySet<string> {
  const mixed = new Set([...first.mixed, ...second.mixed]);
  return new Set(
    [...first.conditions].flatMap(([instance, own]) =>
      own.comparabilityKey === second.conditions.get(instance)?.comparabilityKey && !mixed.has(instance)
        ? [instance]
        : [],
    ),
  );
}

function compareDomains(
  first: BoardEntry,
  second: BoardEntry,
  options: CompareOptions,
): ComparisonDetails["domains"] {
  const domainOf = (instance: string): string => parseInstanceId(instance).domain;
  const domains = [...new Set(first.trials.map((trial) => domainOf(trial.instance)))].sort();
  const restricted = (entry: BoardEntry, domain: string): BoardEntry => ({
    ...entry,
    trials: entry.trials.filter((trial) => domainOf(trial.instance) === domain),
  });
  const rows = domains.map((domain) => {
    const compared = compareEntries(restricted(first, domain), restricted(second, domain), options);
    const { sharedInstances, fullPass, mean } = compared;
    return { domain, sharedInstances, fullPass, mean };
  });
  const shared = rows.filter((row) => row.sharedInstances > 0);
  const tested = shared.filter((row) => row.mean.p !== null);
  const adjusted = holm(tested.map((row) => row.mean.p ?? 1));
  return shared.map((row) => ({ ...row, pHolm: adjusted[tested.indexOf(row)] ?? null }));
}

function compareStages([first, second]: readonly [
  readonly CountedTrial[],
  readonly CountedTrial[],
]): ComparisonDetails["stages"] {
  const [one, other] = [stageMeans(first), stageMeans(second)];
  const rows = [...one].flatMap(([place, mean]) => {
    const twin = other.get(place);
    if (twin === undefined) return [];
    const [instance = "", stage = ""] = place.split("\n");
    return [{ workflow: instance.split("@")[0] ?? instance, stage, first: mean, second: twin }];
  });
  return [...Map.groupBy(rows, ({ workflow, stage }) => `${workflow}\n${stage}`).values()]
    .map((group) => {
      const mean = (side: "first" | "second"): number =>
        group.reduce((sum, row) => sum + row[side], 0) / group.length;
      const { workflow = "", stage = "" } = group[0] ?? {};
      const [left, right] = [mean("first"), mean("second")];
      return {
        workflow,
        stage,
        instances: group.length,
        first: left,
        second: right,
        difference: right - left,
      };
    })
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference) || (a.workflow < b.workflow ? -1 : 1));
}

/** Mean score by instance and stage, repeats averaged. */
function stageMeans(trials: readonly CountedTrial[]): ReadonlyMap<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { instance, counted } of trials) {
    for (const { name, score } of counted?.grade.verdict?.stages ?? []) {
      const place = `${instance}\n${name}`;
      const own = sums.get(place) ?? { sum: 0, count: 0 };
      sums.set(place, { sum: own.sum + score, count: own.count + 1 });
    }
  }
  return new Map([...sums].map(([place, { sum, count }]) => [place, sum / count]));
}

function compareAmount(
  sides: readonly [readonly CountedTrial[], readonly CountedTrial[]],
  of: (result: TrialResult) => Maybe<number>,
): SideDifference {
  const values = sides.map((trials) =>
    trials.map(({ workflow, instance, counted }) => ({
      workflow,
      instance,
      amount: counted === undefined ? unknown("a trial was not finished") : of(counted.result),
    })),
  );
  for (const { amount } of values.flat()) {
    if (!amount.known) return absent(`unknown: ${amount.reason}`);
  }
  const [one, other] = values.map((side) =>
    pairedSide(
      side.flatMap(({ amount, ...rest }) => (amount.known ? [{ ...rest, value: amount.value }] : [])),
    ),
  ) as [ReturnType<typeof pairedSide>, ReturnType<typeof pairedSide>];
  const { difference, interval } = pairedDifference(other, one);
  const nothing = unknown("no shared instances");
  const meanOf = (side: typeof one): Maybe<number> => {
    const alone = pairedDifference(side, zeros(side)).difference;
    return difference.known ? alone : nothing;
  };
  const shared = (side: typeof one, by: typeof one): typeof one =>
    new Map([...side].filter(([instance]) => by.has(instance)));
  return {
    ...nullable("first", meanOf(shared(one, other))),
    ...nullable("second", meanOf(shared(other, one))),
    ...nullable("difference", difference),
    ...nullable("low", interval.known ? known(interval.value.low) : interval),
    ...nullable("high", interval.known ? known(interval.value.high) : interval),
  };
}

/** The same instances with nothing in them: the difference to it is the mean. */
function zeros(side: ReturnType<typeof pairedSide>): ReturnType<typeof pairedSide> {
  return new Map([...side].map(([instance, tally]) => [instance, { ...tally, sum: 0 }]));
}

function absent(reason: string): SideDifference {
  const nothing = unknown(reason);
  return {
    ...nullable("first", nothing),
    ...nullable("second", nothing),
    ...nullable("difference", nothing),
    ...nullable("low", nothing),
    ...nullable("high", nothing),
  };
}
