import type { Random } from "../../contract/random.ts";

/**
 * A random order that is fair at every moment: contestants take turns, in a new random order each round, and
 * each works through its own cases in a random order of its own. Of any prefix, no contestant has more than one
 * trial more than another.
 */
export function admissionOrder<T>(
  contestants: readonly string[],
  casesOf: (contestant: string) => readonly T[],
  random: Random,
): readonly T[] {
  const queues = new Map(
    contestants.map((name) => [name, random.fork(`cases of ${name}`).shuffle(casesOf(name))]),
  );
  const rounds = Math.max(0, ...[...queues.values()].map((queue) => queue.length));
  const turns = random.fork("turns");
  const order: T[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const name of turns.shuffle(contestants)) {
      const next = queues.get(name)?.[round];
      if (next !== undefined) order.push(next);
    }
  }
  return order;
}
