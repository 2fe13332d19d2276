import type { Random } from "../../contract/random.ts";

/** A task to draw from. */
export interface SampleUnit {
  readonly instance: string;
  readonly workflow: string;
  readonly domain: string;
  readonly tier: string;
}

export interface Stratum {
  readonly domain: string;
  readonly tier: string;
  /** Workflows there are, and workflows drawn. */
  readonly workflows: number;
  readonly drawn: number;
}

export interface StratifiedSample {
  /** By instance id. */
  readonly units: readonly SampleUnit[];
  readonly workflows: number;
  readonly strata: readonly Stratum[];
}

/**
 * Draws instances so that every workflow is as likely as any other and domains and tiers have their share: workflows in the
 * order of domain and tier, shuffled within, taken at equal steps from a random start (systematic sampling; Cochran,
 * Sampling Techniques, 1977, chapter 8). One instance of each workflow first; further ones only when all workflows are in.
 * Fixed by the random stream. All units when there are not more.
 */
export function stratifiedSample(
  units: readonly SampleUnit[],
  size: number,
  random: Random,
): StratifiedSample {
  if (!Number.isInteger(size) || size < 1) throw new RangeError(`${size} is no size of a sample`);
  const ordered = random
    .shuffle(units.toSorted((one, other) => (one.instance < other.instance ? -1 : 1)))
    .sort((one, other) => compare(one.domain, other.domain) || compare(one.tier, other.tier));
  const chosen: SampleUnit[] = [];
  let rest = ordered;
  while (chosen.length < size && rest.length > 0) {
    const round = [...Map.groupBy(rest, (unit) => unit.workflow).values()].flatMap((own) => own.slice(0, 1));
    const drawn = systematic(round, size - chosen.length, random);
    chosen.push(...drawn);
    const taken = new Set(round);
    rest = rest.filter((unit) => !taken.has(unit));
  }
  const drawn = new Set(chosen.map((unit) => unit.workflow));
  return {
    units: chosen.sort((one, other) => compare(one.instance, other.instance)),
    workflows: drawn.size,
    strata: [...Map.groupBy(ordered, (unit) => `${unit.domain}\n${unit.tier}`).values()].map((own) => {
      const workflows = [...new Set(own.map((unit) => unit.workflow))];
      const { domain = "", tier = "" } = own[0] ?? {};
      const count = workflows.filter((workflow) => drawn.has(workflow)).length;
      return { domain, tier, workflows: workflows.length, drawn: count };
    }),
  };
}

function systematic<T>(items: readonly T[], size: number, random: Random): readonly T[] {
  if (size >= items.length) return items;
  const step = items.length / size;
  const start = random.next() * step;
  return Array.from({ length: size }, (_, index) => items[Math.floor(start + index * step)] as T);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
