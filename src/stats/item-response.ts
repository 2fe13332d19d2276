import { known, type Maybe, unknown } from "../contract/absence.ts";
import { type ItemErrors, itemErrors } from "./item-response-errors.ts";
import {
  expectation,
  type Item,
  logPass,
  nodes,
  nodeWeights,
  type ResponseTally,
} from "./item-response-model.ts";

/** A task on the ability scale of the contestants, whose mean is 0 and deviation 1. */
export interface ItemEstimate {
  readonly task: string;
  /** Ability at which half of the runs pass. */
  readonly difficulty: Maybe<number>;
  readonly difficultyError: Maybe<number>;
  /** Slope there on the logit scale: how sharply the task tells contestants apart. */
  readonly discrimination: Maybe<number>;
  /** Standard errors come from the curvature of the marginal likelihood. */
  readonly discriminationError: Maybe<number>;
}

export interface AbilityEstimate {
  readonly contestant: string;
  /** Mean and deviation of what the responses leave likely (expected a posteriori). */
  readonly ability: number;
  readonly deviation: number;
}

/** A two-parameter logistic fit, or why there is none. */
export type ItemResponse =
  | {
      readonly kind: "fit";
      readonly items: readonly ItemEstimate[];
      readonly abilities: readonly AbilityEstimate[];
      /** Marginal. */
      readonly logLikelihood: number;
      readonly rounds: number;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** Fewer contestants leave slopes to chance. */
const fewestContestants = 20;
/** A steeper item separates contestants perfectly: its likelihood has no maximum. */
const steepest = 25;

/**
 * Two-parameter item response by marginal maximum likelihood with the EM algorithm (Bock and Aitkin, Psychometrika 46,
 * 1981): contestants come from a normal population, a run passes with probability logistic(a (ability - b)). Tasks that
 * all or none passed, and tasks that separate contestants perfectly, have no finite estimate and say so.
 */
export function itemResponse(tallies: readonly ResponseTally[]): ItemResponse {
  const byContestant = Map.groupBy(tallies, (tally) => tally.contestant);
  if (byContestant.size < fewestContestants) {
    return {
      kind: "refused",
      reason: `${byContestant.size} contestants are too few: at least ${fewestContestants} are needed`,
    };
  }
  const byTask = Map.groupBy(tallies, (tally) => tally.task);
  const varied = new Set([...byTask].filter(([, own]) => isVaried(own)).map(([task]) => task));
  if (varied.size < 3) {
    return { kind: "refused", reason: `${varied.size} tasks tell contestants apart: at least 3 are needed` };
  }
  const used = tallies.filter((tally) => varied.has(tally.task));
  const { items, posteriors, logLikelihood, rounds } = estimate(used);
  const errors = itemErrors(used, items);
  return {
    kind: "fit",
    items: [...byTask.keys()].map((task) => describe(task, items.get(task), errors)),
    abilities: [...byContestant.keys()].map((contestant) => ({
      contestant,
      ...moments(posteriors.get(contestant) ?? nodeWeights),
    })),
    logLikelihood,
    rounds,
  };
}

function isVaried(tallies: readonly ResponseTally[]): boolean {
  return tallies.some((tally) => tally.passes > 0) && tallies.some((tally) => tally.passes < tally.runs);
}

function estimate(tallies: readonly ResponseTally[]): {
  readonly items: ReadonlyMap<string, Item>;
  readonly posteriors: ReadonlyMap<string, readonly number[]>;
  readonly logLikelihood: number;
  readonly rounds: number;
} {
  const byContestant = Map.groupBy(tallies, (tally) => tally.contestant);
  const byTask = Map.groupBy(tallies, (tally) => tally.task);
  let items = new Map<string, Item>([...byTask].map(([task, own]) => [task, startingItem(own)]));
  let before = Number.NEGATIVE_INFINITY;
  for (let rounds = 1; ; rounds++) {
    const { posteriors, logLikelihood } = expectation(byContestant, items);
    if (logLikelihood - before < 1e-9 * Math.abs(logLikelihood) || rounds >= 3000) {
      return { items, posteriors, logLikelihood, rounds };
    }
    before = logLikelihood;
    items = new Map(
      [...byTask].map(([task, own]) => [task, maximise(items.get(task) as Item, own, posteriors)]),
    );
  }
}

function startingItem(tallies: readonly ResponseTally[]): Item {
  const passes = tallies.reduce((sum, tally) => sum + tally.passes, 0);
  const runs = tallies.reduce((sum, tally) => sum + tally.runs, 0);
  return { slope: 1, intercept: Math.log((passes + 0.5) / (runs - passes + 0.5)) };
}

/** Newton's steps for one item's logistic regression on the expected counts, halved where they overshoot. */
function maximise(
  start: Item,
  tallies: readonly ResponseTally[],
  posteriors: ReadonlyMap<string, readonly number[]>,
): Item {
  const passes = nodes.map(() => 0);
  const runs = nodes.map(() => 0);
  for (const tally of tallies) {
    posteriors.get(tally.contestant)?.forEach((share, node) => {
      passes[node] = (passes[node] as number) + share * tally.passes;
      runs[node] = (runs[node] as number) + share * tally.runs;
    });
  }
  const value = (item: Item): number =>
    nodes.reduce((sum, ability, node) => {
      const [pass, fail] = logPass(item, ability);
      return (
        sum + (passes[node] as number) * pass + ((runs[node] as number) - (passes[node] as number)) * fail
      );
    }, 0);
  let item = start;
  let best = value(item);
  for (let step = 0; step < 25; step++) {
    const move = newtonStep(item, passes, runs);
    let factor = 1;
    let next = item;
    let reached = Number.NEGATIVE_INFINITY;
    for (; factor > 1e-4 && reached < best; factor /= 2) {
      next = { slope: item.slope + factor * move.slope, intercept: item.intercept + factor * move.intercept };
      reached = value(next);
    }
    if (!(reached >= best) || Math.abs(next.slope) > steepest * 2) return item;
    const gain = reached - best;
    item = next;
    best = reached;
    if (gain < 1e-12 * (1 + Math.abs(best))) return item;
  }
  return item;
}

function newtonStep(item: Item, passes: readonly number[], runs: readonly number[]): Item {
  let [g0, g1, h00, h01, h11] = [0, 0, 0, 0, 0];
  nodes.forEach((ability, node) => {
    const chance = Math.exp(logPass(item, ability)[0]);
    const rest = (passes[node] as number) - (runs[node] as number) * chance;
    const weight = (runs[node] as number) * chance * (1 - chance);
    g0 += rest;
    g1 += rest * ability;
    h00 += weight;
    h01 += weight * ability;
    h11 += weight * ability * ability;
  });
  const determinant = h00 * h11 - h01 * h01;
  if (!(determinant > 1e-12)) return { slope: 0, intercept: 0 };
  return { slope: (h00 * g1 - h01 * g0) / determinant, intercept: (h11 * g0 - h01 * g1) / determinant };
}

function describe(task: string, item: Item | undefined, errors: ItemErrors): ItemEstimate {
  const absent = (reason: string): ItemEstimate => ({
    task,
    difficulty: unknown(reason),
    difficultyError: unknown(reason),
    discrimination: unknown(reason),
    discriminationError: unknown(reason),
  });
  if (item === undefined) return absent("every run ended alike: the task tells nobody apart");
  if (Math.abs(item.slope) > steepest)
    return absent("contestants are separated perfectly: no finite estimate");
  const own = errors(task);
  const discrimination = known(item.slope);
  const discriminationError = own.discrimination;
  // With hardly any slope the difficulty is anywhere.
  if (Math.abs(item.slope) < 1e-3) {
    const nowhere = unknown("the task does not discriminate");
    return { task, discrimination, discriminationError, difficulty: nowhere, difficultyError: nowhere };
  }
  const difficulty = known(-item.intercept / item.slope);
  return { task, discrimination, discriminationError, difficulty, difficultyError: own.difficulty };
}

function moments(shares: readonly number[]): { readonly ability: number; readonly deviation: number } {
  const ability = shares.reduce((sum, share, node) => sum + share * (nodes[node] as number), 0);
  const variance = shares.reduce(
    (sum, share, node) => sum + share * ((nodes[node] as number) - ability) ** 2,
    0,
  );
  return { ability, deviation: Math.sqrt(variance) };
}
