import { normalDensity } from "./normal-distribution.ts";

/** One contestant's runs of one task. */
export interface ResponseTally {
  readonly contestant: string;
  readonly task: string;
  readonly passes: number;
  readonly runs: number;
}

/** Abilities that the normal population is summed over: 61 points from -6 to 6. */
export const nodes: readonly number[] = Array.from({ length: 61 }, (_, index) => -6 + index * 0.2);
export const nodeWeights: readonly number[] = normalised(nodes.map(normalDensity));

/** One task's logistic curve: logit = slope · ability + intercept. */
export interface Item {
  readonly slope: number;
  readonly intercept: number;
}

/** What each contestant's ability may be, given the items. */
export function expectation(
  byContestant: ReadonlyMap<string, readonly ResponseTally[]>,
  items: ReadonlyMap<string, Item>,
): { readonly posteriors: ReadonlyMap<string, readonly number[]>; readonly logLikelihood: number } {
  const curves = new Map([...items].map(([task, item]) => [task, nodes.map((node) => logPass(item, node))]));
  const posteriors = new Map<string, readonly number[]>();
  let logLikelihood = 0;
  for (const [contestant, own] of byContestant) {
    const logs = nodeWeights.map((weight, node) => {
      let log = Math.log(weight);
      for (const { task, passes, runs } of own) {
        const [pass, fail] = curves.get(task)?.[node] ?? [0, 0];
        log += passes * pass + (runs - passes) * fail;
      }
      return log;
    });
    const highest = Math.max(...logs);
    const shares = logs.map((log) => Math.exp(log - highest));
    logLikelihood += highest + Math.log(shares.reduce((sum, share) => sum + share, 0));
    posteriors.set(contestant, normalised(shares));
  }
  return { posteriors, logLikelihood };
}

/** Logarithms of the chances to pass and to fail. */
export function logPass({ slope, intercept }: Item, ability: number): readonly [pass: number, fail: number] {
  const logit = slope * ability + intercept;
  const soft = Math.log1p(Math.exp(-Math.abs(logit)));
  return [Math.min(0, logit) - soft, Math.min(0, -logit) - soft];
}

function normalised(shares: readonly number[]): readonly number[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}
