import fc from "fast-check";
import { expect, test } from "vitest";
import { type RoadLeg, travelFinder } from "./travel-finder.ts";

const nodes = ["A", "B", "C", "D", "E", "F"];
const legs = fc.array(
  fc.record({
    from: fc.constantFrom(...nodes),
    to: fc.constantFrom(...nodes),
    minutes: fc.integer({ min: 1, max: 6 }),
    hectometres: fc.integer({ min: 1, max: 60 }),
    maxGrossKg: fc.constantFrom(3500, 12_000, Number.POSITIVE_INFINITY),
  }),
  { maxLength: 24 },
);

/** All shortest ways at once, by Floyd and Warshall: minutes count a thousandfold, hectometres break ties. */
function allPairs(roads: readonly RoadLeg[]): Map<string, number> {
  const best = new Map(nodes.map((node) => [node + node, 0]));
  const put = (pair: string, cost: number): void => {
    if (cost < (best.get(pair) ?? Number.POSITIVE_INFINITY)) best.set(pair, cost);
  };
  for (const { from, to, minutes, hectometres } of roads) put(from + to, minutes * 1000 + hectometres);
  for (const via of nodes) {
    for (const from of nodes) {
      for (const to of nodes) {
        const [first, second] = [best.get(from + via), best.get(via + to)];
        if (first !== undefined && second !== undefined) put(from + to, first + second);
      }
    }
  }
  return best;
}

test("the fastest way is the one that all pairs of places agree on, over roads that bear the vehicle", () => {
  fc.assert(
    fc.property(legs, fc.constantFrom(3500, 7500, 12_000), (roads, grossKg) => {
      const travel = travelFinder(roads);
      const expected = allPairs(roads.filter(({ maxGrossKg }) => maxGrossKg >= grossKg));
      for (const from of nodes) {
        for (const to of nodes) {
          const way = travel(grossKg, from, to);
          const cost = way === undefined ? undefined : way.minutes * 1000 + way.hectometres;
          expect(cost).toBe(expected.get(from + to));
        }
      }
    }),
  );
});
