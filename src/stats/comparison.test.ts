import fc from "fast-check";
import { expect, test } from "vitest";
import { known } from "../contract/absence.ts";
import { createRandom } from "../contract/random.ts";
import type { Observation } from "./clusters.ts";
import { meanRanks, pearson, spearman } from "./correlation.ts";
import { referenceValues } from "./fixtures/reference-values.ts";
import { pairedBootstrap } from "./paired-bootstrap.ts";
import {
  type PairedDifference,
  type PairedDifferenceOptions,
  pairedDifference,
  pairedSide,
} from "./paired-difference.ts";
import { paretoFront } from "./pareto-front.ts";
import { minimalDetectableDifference, pairedPower, workflowsNeeded } from "./power.ts";
import { ratioOfMeans } from "./ratio-of-means.ts";
import { type BandComparison, tieBands } from "./tie-bands.ts";

const rows = (values: Readonly<Record<string, number | readonly number[]>>): Observation[] =>
  Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((one) => ({ workflow: `d/${name.slice(0, 1)}`, instance: `d/${name}`, value: one })),
  );

function compare(
  first: readonly Observation[],
  second: readonly Observation[],
  options?: PairedDifferenceOptions,
): PairedDifference {
  return pairedDifference(pairedSide(first), pairedSide(second), options);
}

test("single binary runs are compared by exact McNemar on shared instances", () => {
  const first = rows({ "a@1": 1, "b@1": 1, "c@1": 1, "d@1": 1, "e@1": 0, "f@1": 1 });
  const second = rows({ "a@1": 0, "b@1": 0, "c@1": 0, "d@1": 1, "e@1": 0, "g@1": 1 });
  expect(compare(first, second, { range: [0, 1] })).toMatchObject({
    difference: known(expect.closeTo(0.6, 12)),
    p: known(expect.closeTo(0.25, 12)),
    test: "exact McNemar",
    sharedInstances: 5,
    onlyFirst: 1,
    onlySecond: 1,
  });
});

test("repeats are averaged first and workflows weigh alike", () => {
  const first = rows({ "a@1": [1, 0], "a@2": [1, 1], "b@1": [0.2, 0.4], "c@1": [1, 1] });
  const second = rows({ "a@1": [0, 0], "a@2": [1, 0], "b@1": [0.3, 0.1], "c@1": [0, 1] });
  const result = compare(first, second);
  expect(result.test).toBe("cluster-robust t (CR1)");
  expect(result.difference).toEqual({ known: true, value: expect.closeTo((0.5 + 0.1 + 0.5) / 3, 12) });
});

test("swapping sides turns the difference and its interval over and keeps p", () => {
  const side = fc.dictionary(
    fc.constantFrom("a@1", "a@2", "b@1", "c@1", "d@1"),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 }),
  );
  fc.assert(
    fc.property(side, side, (one, other) => {
      const forth = compare(rows(one), rows(other), { range: [0, 1] });
      const back = compare(rows(other), rows(one), { range: [0, 1] });
      expect(back.p).toEqual(forth.p.known ? known(expect.closeTo(forth.p.value, 10)) : forth.p);
      if (forth.interval.known && back.interval.known) {
        expect(back.interval.value.low).toBeCloseTo(-forth.interval.value.high, 10);
      }
    }),
  );
});

test("a constant difference is tested by signs over instances, and none at all has p = 1", () => {
  const names = ["a@1", "a@2", "b@1", "b@2", "c@1", "c@2"];
  const all = (value: number): Observation[] => rows(Object.fromEntries(names.map((name) => [name, value])));
  expect(compare(all(0.75), all(0.5))).toMatchObject({
    p: known(expect.closeTo(2 / 64, 12)),
    test: "exact sign test over instances",
    interval: { known: false },
  });
  expect(compare(all(0.5), all(0.5)).p).toEqual(known(1));
  expect(compare(all(1), rows({ "z@1": 1 })).p.known).toBe(false);
});

test("the bootstrap of a difference turns over with its sides, and is refused without spread", () => {
  const first = pairedSide(rows({ "a@1": 1, "b@1": 0.8, "c@1": 0.9, "d@1": 0.3, "e@1": 1 }));
  const second = pairedSide(rows({ "a@1": 0.2, "b@1": 0.9, "c@1": 0.4, "d@1": 0.3, "e@1": 0.1 }));
  const options = { resamples: 4000, method: "percentile" } as const;
  const forth = pairedBootstrap(first, second, { ...options, random: createRandom(1) });
  const back = pairedBootstrap(second, first, { ...options, random: createRandom(1) });
  if (!forth.known || !back.known) throw new Error("no interval");
  expect(forth.value.low).toBeCloseTo(-back.value.high, 10);
  expect(forth.value.low).toBeLessThan(0.42);
  expect(forth.value.high).toBeGreaterThan(0.42);
  expect(pairedBootstrap(first, first, { random: createRandom(1) }).known).toBe(false);
});

test("bands keep the entry that opened them as their measure", () => {
  const comparison = (first: number, second: number, difference: number, p: number): BandComparison => ({
    first,
    second,
    difference: known(difference),
    p: known(p),
  });
  // Best to worst a step at a time: neighbours are tied, the ends are not.
  const places = tieBands(
    [0.9, 0.7, 0.5],
    [comparison(0, 1, 0.2, 0.4), comparison(0, 2, 0.4, 0.001), comparison(1, 2, 0.2, 0.4)],
  );
  expect(places).toEqual([
    { band: 1, rankLow: 1, rankHigh: 2 },
    { band: 1, rankLow: 1, rankHigh: 3 },
    { band: 2, rankLow: 2, rankHigh: 3 },
  ]);
});

test("every entry's rank interval holds its rank, and bands rise down the list", () => {
  const table = fc
    .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 7 })
    .chain((values) =>
      fc.tuple(
        fc.constant(values),
        fc.array(fc.double({ min: 0, max: 0.2, noNaN: true }), { minLength: 21, maxLength: 21 }),
      ),
    );
  fc.assert(
    fc.property(table, ([values, ps]) => {
      const comparisons: BandComparison[] = [];
      values.forEach((one, first) => {
        values.slice(first + 1).forEach((other, offset) => {
          const p = known(ps[comparisons.length] as number);
          comparisons.push({ first, second: first + 1 + offset, difference: known(one - other), p });
        });
      });
      const places = tieBands(values, comparisons);
      places.forEach((place, index) => {
        const rank = 1 + values.filter((value) => value > (values[index] as number)).length;
        expect(place.rankLow).toBeLessThanOrEqual(rank);
        expect(place.rankHigh).toBeGreaterThanOrEqual(rank);
        values.forEach((value, other) => {
          if (value > (values[index] as number)) expect(places[other]?.band).toBeLessThanOrEqual(place.band);
        });
      });
    }),
  );
});

test("correlations agree with R, ties and all", () => {
  const { x, y, ...expected } = referenceValues.correlation;
  expect(pearson(x, y)).toMatchObject({
    value: known(expect.closeTo(expected.pearson.value, 12)),
    interval: {
      value: {
        low: expect.closeTo(expected.pearson.low, 10),
        high: expect.closeTo(expected.pearson.high, 10),
      },
    },
  });
  expect(spearman(x, y).value).toEqual(known(expect.closeTo(expected.spearman, 12)));
  expect(meanRanks([3, 1, 3, 2])).toEqual([3.5, 1, 3.5, 2]);
  expect(pearson([1, 1, 1, 1], [1, 2, 3, 4]).value.known).toBe(false);
  expect(pearson([1, 2, 3, 4], [2, 4, 6, 8]).interval.known).toBe(false);
});

test("power and the minimal detectable difference agree with R", () => {
  for (const { workflows, difference, deviation, power } of referenceValues.power) {
    expect(pairedPower(difference, { workflows, deviation })).toBeCloseTo(power, 8);
  }
  for (const { workflows, difference } of referenceValues.minimalDetectable) {
    expect(minimalDetectableDifference({ workflows, deviation: 0.4 })).toBeCloseTo(difference, 6);
  }
  const needed = workflowsNeeded(0.1, { deviation: 0.4 });
  expect(pairedPower(0.1, { deviation: 0.4, workflows: needed })).toBeGreaterThanOrEqual(0.8);
  expect(pairedPower(0.1, { deviation: 0.4, workflows: needed - 1 })).toBeLessThan(0.8);
});

test("Fieller's limits are where the ratio stops being rejected, and are refused near a zero denominator", () => {
  const pairs = [3, 5, 4, 8, 6, 7].map((cost, index) => ({
    numerator: cost,
    denominator: [1, 1, 0, 1, 1, 0.5][index] as number,
  }));
  const ratio = ratioOfMeans(pairs);
  if (!ratio.interval.known || !ratio.value.known) throw new Error("no interval");
  for (const limit of [ratio.interval.value.low, ratio.interval.value.high]) {
    const shifted = pairs.map((pair, index) => ({
      workflow: `d/${index}`,
      instance: `d/${index}`,
      value: pair.numerator - limit * pair.denominator,
    }));
    const zero = shifted.map((row) => ({ ...row, value: 0 }));
    expect(compare(shifted, zero).p).toEqual(known(expect.closeTo(0.05, 9)));
  }
  expect(ratio.value.value).toBeCloseTo(33 / 4.5, 12);
  expect(
    ratioOfMeans([
      { numerator: 1, denominator: 0 },
      { numerator: 2, denominator: 1 },
    ]).interval.known,
  ).toBe(false);
  expect(ratioOfMeans([{ numerator: 1, denominator: 0 }]).value.known).toBe(false);
});

test("the front holds exactly the points that no other beats", () => {
  const point = fc.record({ worth: fc.integer({ min: 0, max: 6 }), cost: fc.integer({ min: 0, max: 6 }) });
  fc.assert(
    fc.property(fc.array(point), (points) => {
      const beaten = (one: (typeof points)[number]): boolean =>
        points.some(
          (other) =>
            other.worth >= one.worth &&
            other.cost <= one.cost &&
            (other.worth > one.worth || other.cost < one.cost),
        );
      expect(new Set(paretoFront(points))).toEqual(new Set(points.filter((one) => !beaten(one))));
    }),
  );
});
