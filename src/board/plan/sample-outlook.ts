import { known, type Maybe, unknown } from "../../contract/absence.ts";
import { minimalDetectableDifference, workflowsNeeded } from "../../stats/power.ts";
import { clopperPearsonInterval } from "../../stats/proportion-interval.ts";
import { studentTQuantile } from "../../stats/student-t-distribution.ts";
import { type Nullable, nullable } from "../nullable.ts";
import type { StratifiedSample } from "./stratified-sample.ts";

/** How scores spread over workflows: what an outlook is made from. */
export interface Spread {
  /** Standard deviation over workflows of one contestant's mean. */
  readonly single: number;
  /** Of the paired difference of two contestants. */
  readonly paired: number;
  /** Where both come from, in words. */
  readonly source: string;
}

/** What a sample can tell, and what it cannot. Shares in [0, 1]. */
export type SampleOutlook = Nullable<"halfWidth" | "detectable" | "highestWhenNonePass"> & {
  readonly workflows: number;
  readonly level: number;
  readonly power: number;
  readonly spread: Spread;
  /** Workflows that would be needed to find differences of these sizes. */
  readonly needed: readonly { readonly difference: number; readonly workflows: number }[];
  readonly cannot: readonly string[];
};

const level = 0.95;
const power = 0.8;

/** A spread from two stated guesses: how often a contestant passes, and how often two contestants part on a task. */
export function assumedSpread(passRate: number, disagreement: number): Spread {
  const inside = (share: number): boolean => share > 0 && share < 1;
  if (!inside(passRate) || !inside(disagreement)) {
    throw new RangeError("a pass rate and a disagreement must lie inside (0, 1)");
  }
  return {
    single: Math.sqrt(passRate * (1 - passRate)),
    paired: Math.sqrt(disagreement),
    source: `assumed: a contestant passes ${percent(passRate)} of tasks, two contestants part on ${percent(disagreement)}, one run each`,
  };
}

/** The expected interval, the smallest difference that will be found, and what stays open. */
export function sampleOutlook(sample: StratifiedSample, spread: Spread): SampleOutlook {
  const { workflows } = sample;
  const few = unknown("one workflow: no spread can be estimated");
  const none = clopperPearsonInterval(0, workflows, level);
  const halfWidth =
    workflows < 2
      ? few
      : known((studentTQuantile((1 + level) / 2, workflows - 1) * spread.single) / Math.sqrt(workflows));
  const detectable =
    workflows < 2 ? few : known(minimalDetectableDifference({ workflows, deviation: spread.paired }, power));
  return {
    workflows,
    level,
    power,
    spread,
    ...nullable("halfWidth", withinScale(halfWidth)),
    ...nullable("detectable", beyond(detectable)),
    ...nullable("highestWhenNonePass", none.known ? known(none.value.high) : none),
    needed: [0.05, 0.1, 0.2].map((difference) => ({
      difference,
      workflows: workflowsNeeded(difference, { deviation: spread.paired }, power),
    })),
    cannot: limitations(sample),
  };
}

/** An interval that would cover the whole scale tells nothing. */
function withinScale(halfWidth: Maybe<number>): Maybe<number> {
  if (!halfWidth.known || halfWidth.value < 0.5) return halfWidth;
  return unknown("so few workflows leave every rate possible");
}

/** A difference of more than everything cannot be: then no difference will be found with this chance. */
function beyond(detectable: Maybe<number>): Maybe<number> {
  if (!detectable.known || detectable.value <= 1) return detectable;
  return unknown("even the largest difference there can be would often be missed");
}

function limitations(sample: StratifiedSample): readonly string[] {
  const empty = sample.strata.filter((stratum) => stratum.drawn === 0);
  const domains = new Map<string, number>();
  for (const { domain, drawn } of sample.strata) domains.set(domain, (domains.get(domain) ?? 0) + drawn);
  const thin = [...domains].filter(([, drawn]) => drawn < 10).map(([domain]) => domain);
  return [
    ...(empty.length > 0
      ? [`nothing of ${empty.map(({ domain, tier }) => `${domain} ${tier}`).join(", ")}: none was drawn`]
      : []),
    ...(thin.length > 0 ? [`no figure by domain for ${thin.join(", ")}: fewer than ten workflows each`] : []),
    ...(sample.workflows < 10 ? ["no variance of harness, model and task: fewer than ten workflows"] : []),
    "no order among contestants closer than the smallest difference above: they will share a band",
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`;
}
