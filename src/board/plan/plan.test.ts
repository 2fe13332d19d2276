import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "../../contract/random.ts";
import { observedPolicy } from "../../contract/scoring-policy.ts";
import { boardEntries } from "../board-entry.ts";
import { exampleAttempt, exampleRun } from "../fixtures/example-attempts.ts";
import { pilotSpread } from "./pilot-spread.ts";
import { assumedSpread, sampleOutlook } from "./sample-outlook.ts";
import { type SampleUnit, stratifiedSample } from "./stratified-sample.ts";

function unitsOf(counts: Readonly<Record<string, number>>, variants = 1): readonly SampleUnit[] {
  return Object.entries(counts).flatMap(([domain, count]) =>
    Array.from({ length: count * variants }, (_, index): SampleUnit => {
      const workflow = `${domain}/w${Math.floor(index / variants)}`;
      const tier = Math.floor(index / variants) % 2 === 0 ? "near-term" : "last-exam";
      return { instance: `${workflow}@v${index % variants}`, workflow, domain, tier };
    }),
  );
}

test("every domain has its share, and the same seed draws the same sample", () => {
  const units = unitsOf({ legal: 40, energy: 10, art: 50 });
  const sample = stratifiedSample(units, 20, createRandom(3));
  const share = (domain: string): number => sample.units.filter((unit) => unit.domain === domain).length;
  expect([share("legal"), share("energy"), share("art")]).toEqual([8, 2, 10]);
  expect(sample.strata.map((stratum) => stratum.drawn)).toEqual([5, 5, 1, 1, 4, 4]);
  expect(stratifiedSample(units.toReversed(), 20, createRandom(3))).toEqual(sample);
});

test("whatever the size, workflows come before second instances, and nothing is drawn twice", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 1000 }), (size, seed) => {
      const units = unitsOf({ legal: 5, art: 7 }, 2);
      const sample = stratifiedSample(units, size, createRandom(seed));
      expect(new Set(sample.units.map((unit) => unit.instance)).size).toBe(Math.min(size, units.length));
      expect(sample.workflows).toBe(Math.min(size, 12));
    }),
  );
});

test("every workflow is as likely as any other", () => {
  const units = unitsOf({ legal: 3, art: 7 });
  const drawn = new Map<string, number>();
  for (let seed = 0; seed < 3000; seed++) {
    for (const { workflow } of stratifiedSample(units, 3, createRandom(seed)).units) {
      drawn.set(workflow, (drawn.get(workflow) ?? 0) + 1);
    }
  }
  // 0.3 each; 3,000 draws know the share to under a point.
  for (const count of drawn.values()) expect(Math.abs(count / 3000 - 0.3)).toBeLessThan(0.04);
});

// R 4.2: qt(.975, 14) * sqrt(.3 * .7 / 15); power.t.test(n = 15, sd = sqrt(.3), power = .8, type = "paired", strict = TRUE)$delta;
// binom.test(0, 15)$conf.int[2]; ceiling(power.t.test(delta = .1, sd = sqrt(.3), power = .8, type = "paired")$n).
test("fifteen tasks tell what R says they tell", () => {
  const outlook = sampleOutlook(
    stratifiedSample(unitsOf({ legal: 15 }), 15, createRandom(1)),
    assumedSpread(0.3, 0.3),
  );
  expect(outlook.halfWidth).toBeCloseTo(0.25377, 4);
  expect(outlook.detectable).toBeCloseTo(0.42614, 4);
  expect(outlook.highestWhenNonePass).toBeCloseTo(0.21802, 4);
  expect(outlook.needed.map((need) => need.workflows)[1]).toBe(238);
});

test("what is too thin is said, and two tasks promise nothing", () => {
  const sample = stratifiedSample(unitsOf({ legal: 2, art: 2, energy: 2 }), 2, createRandom(1));
  const outlook = sampleOutlook(sample, assumedSpread(0.3, 0.3));
  expect(outlook).toMatchObject({ detectable: null });
  expect(outlook.detectableReason).toMatch(/largest difference there can be/);
  expect(outlook.cannot.join("\n")).toMatch(/none was drawn[\s\S]*no figure by domain[\s\S]*no variance/);
  const one = stratifiedSample(unitsOf({ legal: 1 }), 5, createRandom(1));
  expect(sampleOutlook(one, assumedSpread(0.3, 0.3))).toMatchObject({ halfWidth: null, detectable: null });
});

test("a pilot gives its spread without the baselines, and refuses where two contestants do not vary", () => {
  const scores = { a: [1, 0, 1, 0], b: [0, 1, 1, 0], oracle: [1, 1, 1, 1], nop: [0, 0, 0, 0] };
  const attempts = Object.entries(scores).flatMap(([contestant, own]) =>
    own.map((score, index) => exampleAttempt({ contestant, instance: `w${index}@a`, score })),
  );
  const options = { policy: observedPolicy, measure: "full-pass", name: "pilot" } as const;
  const spread = pilotSpread(boardEntries([exampleRun(attempts)]), options);
  expect(spread.known && [spread.value.single, spread.value.paired]).toEqual([
    Math.sqrt(1 / 3),
    Math.sqrt(2 / 3),
  ]);
  const baselines = attempts.filter((attempt) => /oracle|nop/.test(attempt.trial));
  expect(pilotSpread(boardEntries([exampleRun(baselines)]), options).known).toBe(false);
});
