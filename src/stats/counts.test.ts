import fc from "fast-check";
import { expect, test } from "vitest";
import { referenceValues } from "./fixtures/reference-values.ts";
import { holm } from "./holm.ts";
import { mcnemarExact } from "./mcnemar.ts";
import { passAtK, passHatK } from "./pass-at-k.ts";
import { clopperPearsonInterval, wilsonInterval } from "./proportion-interval.ts";

test("Wilson and Clopper-Pearson agree with R", () => {
  for (const row of referenceValues.proportions) {
    const wilson = wilsonInterval(row.passes, row.trials);
    const exact = clopperPearsonInterval(row.passes, row.trials);
    const exact90 = clopperPearsonInterval(row.passes, row.trials, 0.9);
    if (!wilson.known || !exact.known || !exact90.known) throw new Error("no interval");
    expect(wilson.value.low).toBeCloseTo(row.wilsonLow, 10);
    expect(wilson.value.high).toBeCloseTo(row.wilsonHigh, 10);
    expect(exact.value.low).toBeCloseTo(row.exactLow, 10);
    expect(exact.value.high).toBeCloseTo(row.exactHigh, 10);
    expect(exact90.value.low).toBeCloseTo(row.exact90Low, 10);
    expect(exact90.value.high).toBeCloseTo(row.exact90High, 10);
  }
});

test("the best two rows of ALE's board of September have the published intervals", () => {
  expect(wilsonInterval(58, 152)).toMatchObject({
    value: { low: expect.closeTo(0.308, 3), high: expect.closeTo(0.461, 3) },
  });
  expect(wilsonInterval(52, 152)).toMatchObject({
    value: { low: expect.closeTo(0.271, 3), high: expect.closeTo(0.421, 3) },
  });
});

const counts = fc
  .integer({ min: 1, max: 300 })
  .chain((trials) => fc.tuple(fc.integer({ min: 0, max: trials }), fc.constant(trials)));

test("intervals hold the rate, are never empty, and mirror each other", () => {
  fc.assert(
    fc.property(counts, fc.constantFrom(wilsonInterval, clopperPearsonInterval), ([passes, trials], make) => {
      const interval = make(passes, trials);
      const mirror = make(trials - passes, trials);
      if (!interval.known || !mirror.known) throw new Error("no interval");
      expect(interval.value.low).toBeLessThanOrEqual(passes / trials + 1e-12);
      expect(interval.value.high).toBeGreaterThanOrEqual(passes / trials - 1e-12);
      expect(interval.value.high).toBeGreaterThan(interval.value.low);
      expect(interval.value.low).toBeCloseTo(1 - mirror.value.high, 10);
    }),
  );
  expect(wilsonInterval(0, 0).known).toBe(false);
  expect(clopperPearsonInterval(0, 0).known).toBe(false);
  expect(() => wilsonInterval(3, 2)).toThrow(RangeError);
});

test("Clopper-Pearson covers at least its level at every proportion", () => {
  const trials = 15;
  const intervals = Array.from({ length: trials + 1 }, (_, passes) => clopperPearsonInterval(passes, trials));
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
  for (let p = 0.01; p < 1; p += 0.01) {
    const covered = intervals.reduce((sum, interval, k) => {
      const holds = interval.known && interval.value.low <= p && p <= interval.value.high;
      return holds ? sum + choose(trials, k) * p ** k * (1 - p) ** (trials - k) : sum;
    }, 0);
    expect(covered).toBeGreaterThanOrEqual(0.95);
  }
});

test("exact McNemar agrees with R's binomial test", () => {
  for (const { b, c, p } of referenceValues.mcnemar) expect(mcnemarExact(b, c)).toBeCloseTo(p, 12);
  expect(mcnemarExact(0, 0)).toBe(1);
});

test("Holm's adjustment agrees with R and never makes a p-value smaller", () => {
  const { p, adjusted } = referenceValues.holm;
  expect(holm(p)).toEqual(adjusted.map((value) => expect.closeTo(value, 12)));
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (values) => {
      expect(holm(values).every((value, index) => value >= (values[index] as number))).toBe(true);
    }),
  );
});

test("pass@k and pass^k are the shares of all choices of k runs", () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 8 }),
      (runs, k) => {
        const passes = runs.filter(Boolean).length;
        const any = passAtK(passes, runs.length, k);
        const all = passHatK(passes, runs.length, k);
        if (k > runs.length) {
          expect([any.known, all.known]).toEqual([false, false]);
          return;
        }
        const choices = Array.from({ length: 2 ** runs.length }, (_, mask) =>
          runs.filter((_, bit) => (mask >> bit) & 1),
        ).filter((choice) => choice.length === k);
        const share = (test: (choice: boolean[]) => boolean): number =>
          choices.filter(test).length / choices.length;
        expect(any).toEqual({
          known: true,
          value: expect.closeTo(
            share((choice) => choice.some(Boolean)),
            12,
          ),
        });
        expect(all).toEqual({
          known: true,
          value: expect.closeTo(
            share((choice) => choice.every(Boolean)),
            12,
          ),
        });
      },
    ),
  );
});
