import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "../contract/random.ts";
import { clusterBootstrap } from "./cluster-bootstrap.ts";
import { type Estimand, type Observation, toClusters } from "./clusters.ts";
import { jointBootstrap } from "./joint-bootstrap.ts";
import { differenceOfSums, pairedDifference, pairedSide } from "./paired-difference.ts";
import { rankScores } from "./rank-scores.ts";
import { addScore, createScoreTable, scoreTableOf, tableClusters, tableDifferences } from "./score-table.ts";

const observation = fc
  .record({
    workflow: fc.constantFrom("d/a", "d/b", "d/c"),
    variant: fc.constantFrom("x", "y"),
    value: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map(
    ({ workflow, variant, value }): Observation => ({ workflow, instance: `${workflow}@${variant}`, value }),
  );
const side = fc.array(observation, { maxLength: 12 });

test("a table gives the same workflows as the observations it was made of, for every estimand", () => {
  fc.assert(
    fc.property(side, side, (one, other) => {
      const table = scoreTableOf([one, other]);
      for (const estimand of ["workflow", "instance", "trial"] satisfies Estimand[]) {
        const [made, plain] = [tableClusters(table, 1, estimand), toClusters(other, estimand)];
        expect(made.map(({ mean: _, ...rest }) => rest)).toEqual(plain.map(({ mean: _, ...rest }) => rest));
        for (const [index, { mean }] of made.entries()) {
          expect(mean).toBeCloseTo(plain[index]?.mean ?? Number.NaN, 12);
        }
      }
    }),
  );
});

test("a pair of a table is compared as two sides are", () => {
  fc.assert(
    fc.property(side, side, (one, other) => {
      const table = scoreTableOf([one, other]);
      const made = differenceOfSums(tableDifferences(table, 0, 1, "workflow"), { range: [0, 1] });
      const plain = pairedDifference(pairedSide(one), pairedSide(other), { range: [0, 1] });
      const { p, difference, ...counts } = plain;
      expect(made).toMatchObject({
        test: counts.test,
        sharedInstances: counts.sharedInstances,
        onlyFirst: counts.onlyFirst,
        onlySecond: counts.onlySecond,
      });
      if (p.known && made.p.known) expect(made.p.value).toBeCloseTo(p.value, 9);
      if (difference.known && made.difference.known)
        expect(made.difference.value).toBeCloseTo(difference.value, 12);
      expect([made.p.known, made.difference.known]).toEqual([p.known, difference.known]);
    }),
  );
});

function drawn(seed: number, workflows: number): readonly Observation[] {
  const random = createRandom(seed);
  return Array.from({ length: workflows }, (_, index) => ({
    workflow: `d/w${String(index).padStart(3, "0")}`,
    instance: `d/w${index}@a`,
    value: random.next() ** 2,
  }));
}

test("joint resamples give intervals like those of contestants drawn alone, and the same ones again", () => {
  const clusters = [1, 2, 3, 4, 5, 6].map((seed) => toClusters(drawn(seed, 61), "workflow"));
  const options = { resamples: 4001, level: 0.95 } as const;
  const joint = jointBootstrap(clusters, { ...options, random: createRandom(7) });
  expect(jointBootstrap(clusters, { ...options, random: createRandom(7) })).toEqual(joint);
  clusters.forEach((own, index) => {
    const alone = clusterBootstrap(own, { ...options, random: createRandom(8) });
    const made = joint[index];
    if (!alone.known || made?.known !== true) throw new Error("no interval");
    expect(Math.abs(made.value.low - alone.value.low)).toBeLessThan(0.012);
    expect(Math.abs(made.value.high - alone.value.high)).toBeLessThan(0.012);
  });
});

test("uneven weights are weighed in joint resamples too, and unequal workflows refused", () => {
  const weigh = (own: readonly Observation[]) =>
    toClusters(own, "workflow").map((cluster, index) => ({ ...cluster, weight: 1 + (index % 3) }));
  const clusters = [weigh(drawn(1, 40)), weigh(drawn(2, 40))];
  const [made] = jointBootstrap(clusters, { resamples: 4000, random: createRandom(1) });
  const alone = clusterBootstrap(clusters[0] ?? [], { resamples: 4000, random: createRandom(2) });
  if (!alone.known || made?.known !== true) throw new Error("no interval");
  expect(Math.abs(made.value.low - alone.value.low)).toBeLessThan(0.015);
  const unequal = [clusters[0] ?? [], weigh(drawn(2, 41))];
  expect(() => jointBootstrap(unequal, { random: createRandom(1) })).toThrow(RangeError);
});

test("a contestant without a score is in the list and has no place", () => {
  const table = createScoreTable(2, ["d/a", "d/b", "d/c"]);
  for (const instance of [0, 1, 2]) addScore(table, 0, instance, 1);
  const [one, none] = rankScores(table, { estimand: "workflow", level: 0.95, range: [0, 1] });
  expect(one?.place).toEqual({ known: true, value: { band: 1, rankLow: 1, rankHigh: 1 } });
  expect([none?.place.known, none?.estimate.value.known]).toEqual([false, false]);
  expect(() => addScore(table, 2, 0, 1)).toThrow(RangeError);
  expect(() => addScore(table, 0, 0, Number.NaN)).toThrow(RangeError);
});
