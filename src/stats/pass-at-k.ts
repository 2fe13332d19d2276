import { known, type Maybe, unknown } from "../contract/absence.ts";

/**
 * Chance that at least one of k runs passes, from `passes` of `runs` runs of one instance: the unbiased estimate
 * 1 - C(runs - passes, k) / C(runs, k) (Chen et al., arXiv 2107.03374). Unknown with fewer than k runs.
 */
export function passAtK(passes: number, runs: number, k: number): Maybe<number> {
  const none = allOfKProbability(runs - passes, runs, k);
  return none.known ? known(1 - none.value) : none;
}

/**
 * Chance that all of k runs pass (pass^k): the unbiased estimate C(passes, k) / C(runs, k)
 * (Yao et al., arXiv 2406.12045). Unknown with fewer than k runs.
 */
export function passHatK(passes: number, runs: number, k: number): Maybe<number> {
  return allOfKProbability(passes, runs, k);
}

/** C(chosen, k) / C(runs, k), as a product that cannot overflow. */
function allOfKProbability(chosen: number, runs: number, k: number): Maybe<number> {
  const counts = [chosen, runs, k];
  if (!counts.every(Number.isInteger) || chosen < 0 || chosen > runs || k < 1) {
    throw new RangeError(`no such counts: ${chosen} of ${runs} runs, k = ${k}`);
  }
  if (runs < k) return unknown(`${runs} runs say nothing of ${k}`);
  let probability = 1;
  for (let index = 0; index < k; index++) probability *= Math.max(0, chosen - index) / (runs - index);
  return known(probability);
}
