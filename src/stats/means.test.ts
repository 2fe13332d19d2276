import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "../contract/random.ts";
import { clusterBootstrap } from "./cluster-bootstrap.ts";
import { clusteredMean } from "./clustered-mean.ts";
import { type Estimand, type Observation, toClusters } from "./clusters.ts";
import { referenceValues } from "./fixtures/reference-values.ts";

const estimands: readonly Estimand[] = ["workflow", "instance", "trial"];

test("value, error and interval of each estimand agree with R's sandwich", () => {
  const { trials, ...fits } = referenceValues.clustered;
  for (const estimand of estimands) {
    const mean = clusteredMean(trials, { estimand });
    const fit = fits[estimand];
    if (!mean.value.known || !mean.standardError.known || !mean.interval.known)
      throw new Error("no interval");
    expect(mean.value.value).toBeCloseTo(fit.value, 12);
    expect(mean.standardError.value).toBeCloseTo(fit.error, 12);
    expect(mean.interval.value.low).toBeCloseTo(fit.low, 12);
    expect(mean.interval.value.high).toBeCloseTo(fit.high, 12);
    expect(mean).toMatchObject({ estimand, workflows: 17, trials: trials.length });
  }
});

const observations: fc.Arbitrary<readonly Observation[]> = fc
  .array(
    fc.record({
      w: fc.integer({ min: 0, max: 5 }),
      i: fc.integer({ min: 0, max: 2 }),
      value: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((rows) => rows.map(({ w, i, value }) => ({ workflow: `d/w${w}`, instance: `d/w${w}@i${i}`, value })));

test("a known interval holds its value, has a width, and stays in the range", () => {
  fc.assert(
    fc.property(observations, fc.constantFrom(...estimands), (rows, estimand) => {
      const { value, interval } = clusteredMean(rows, { estimand, range: [0, 1] });
      if (!value.known || !interval.known) return;
      expect(interval.value.low).toBeLessThanOrEqual(value.value);
      expect(interval.value.high).toBeGreaterThanOrEqual(value.value);
      expect(interval.value.high - interval.value.low).toBeGreaterThan(0);
      expect(interval.value.low).toBeGreaterThanOrEqual(0);
      expect(interval.value.high).toBeLessThanOrEqual(1);
    }),
  );
});

test("repeating every trial moves no workflow-weighted mean and no interval", () => {
  fc.assert(
    fc.property(observations, (rows) => {
      const once = clusteredMean(rows);
      const twice = clusteredMean([...rows, ...rows]);
      if (!once.value.known || !twice.value.known) throw new Error("no value");
      expect(twice.value.value).toBeCloseTo(once.value.value, 10);
      if (once.interval.known && twice.interval.known) {
        expect(twice.interval.value.low).toBeCloseTo(once.interval.value.low, 8);
      }
    }),
  );
});

test("one workflow, or workflows without spread inside the range, have no interval and say why", () => {
  const one = clusteredMean([
    { workflow: "d/a", instance: "d/a@x", value: 0 },
    { workflow: "d/a", instance: "d/a@y", value: 1 },
  ]);
  expect(one.interval).toEqual({ known: false, reason: expect.stringContaining("one workflow") });
  const flat = ["a", "b", "c"].map((name) => ({
    workflow: `d/${name}`,
    instance: `d/${name}@x`,
    value: 0.7,
  }));
  expect(clusteredMean(flat, { range: [0, 1] }).interval).toEqual({
    known: false,
    reason: expect.stringContaining("same mean"),
  });
  expect(clusteredMean([]).value.known).toBe(false);
});

test("a perfect or a zero mean has the exact interval over workflows", () => {
  const all = (value: number): Observation[] =>
    ["a", "b", "c", "d", "e", "f"].map((name) => ({ workflow: `d/${name}`, instance: `d/${name}@x`, value }));
  expect(clusteredMean(all(1), { range: [0, 1] }).interval).toMatchObject({
    value: { low: expect.closeTo(0.025 ** (1 / 6), 12), high: 1, method: "Clopper-Pearson over workflows" },
  });
  const zero = clusteredMean(all(0), { range: [0, 1] }).interval;
  if (!zero.known) throw new Error(zero.reason);
  expect(zero.value.low).toBe(0);
  expect(zero.value.high).toBeCloseTo(1 - 0.025 ** (1 / 6), 12);
});

test("bootstrap limits agree with R's boot", () => {
  const { bootstrap, bootstrapSkewed, clustered } = referenceValues;
  const skewed = bootstrapSkewed.values.map((value, index) => ({
    workflow: `d/w${String(index).padStart(2, "0")}`,
    instance: `d/w${index}@x`,
    value,
  }));
  for (const [rows, limits] of [
    [clustered.trials, bootstrap],
    [skewed, bootstrapSkewed],
  ] as const) {
    const clusters = toClusters(rows, "workflow");
    for (const [method, expected] of [
      ["percentile", limits.percentile],
      ["BCa", limits.bca],
    ] as const) {
      const interval = clusterBootstrap(clusters, { random: createRandom(1), resamples: 40_000, method });
      if (!interval.known) throw new Error(interval.reason);
      expect(Math.abs(interval.value.low - expected[0])).toBeLessThan(0.01);
      expect(Math.abs(interval.value.high - expected[1])).toBeLessThan(0.01);
    }
  }
});

test("the bootstrap is fixed by its seed, and refuses to make an interval of nothing", () => {
  const clusters = toClusters(referenceValues.clustered.trials, "trial");
  const make = (seed: number): unknown =>
    clusterBootstrap(clusters, { random: createRandom(seed), resamples: 500 });
  expect(make(7)).toEqual(make(7));
  expect(make(7)).not.toEqual(make(8));
  const flat = ["a", "b"].map((name) => ({ workflow: name, weight: 1, mean: 1, instances: 1, trials: 1 }));
  expect(clusterBootstrap(flat, { random: createRandom(1) }).known).toBe(false);
  expect(clusterBootstrap(flat.slice(1), { random: createRandom(1) }).known).toBe(false);
});
