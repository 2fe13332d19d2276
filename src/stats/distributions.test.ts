import { createRequire } from "node:module";
import fc from "fast-check";
import { expect, test } from "vitest";
import { referenceValues } from "./fixtures/reference-values.ts";
import { betaQuantile, incompleteBeta } from "./incomplete-beta.ts";
import { logGamma } from "./log-gamma.ts";
import { noncentralTCdf } from "./noncentral-t.ts";
import { normalCdf, normalQuantile } from "./normal-distribution.ts";
import { studentTCdf, studentTQuantile } from "./student-t-distribution.ts";

interface Distribution {
  cdf(x: number, ...parameters: number[]): number;
  inv(p: number, ...parameters: number[]): number;
}

const jstat = createRequire(import.meta.url)("jstat") as Record<"studentt" | "normal" | "beta", Distribution>;

/** Checks to so many relative parts; tiny values may also differ by `floor`. */
function expectNear(actual: number, expected: number, relative: number, floor = 0): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(Math.max(floor, relative * Math.abs(expected)));
}

test("log gamma of whole numbers is the logarithm of a factorial", () => {
  let factorial = 1;
  for (let n = 1; n < 25; n++) {
    expectNear(logGamma(n), Math.log(factorial), 1e-14, 1e-14);
    factorial *= n;
  }
  expectNear(logGamma(0.5), Math.log(Math.PI) / 2, 1e-14);
});

test("the normal distribution agrees with R, tails included", () => {
  for (const { z, p } of referenceValues.normal) expectNear(normalCdf(z), p, 5e-13);
  for (const { z, p } of referenceValues.normalQuantile) expectNear(normalQuantile(p), z, 1e-12, 1e-15);
});

test("Student's t agrees with R", () => {
  for (const { t, degrees, p } of referenceValues.tcdf) expectNear(studentTCdf(t, degrees), p, 1e-11);
  for (const { t, degrees, p } of referenceValues.tquantile) {
    expectNear(studentTQuantile(p, degrees), t, 1e-10);
  }
});

test("the incomplete beta function and its inverse agree with R", () => {
  for (const { x, a, b, p } of referenceValues.beta) expectNear(incompleteBeta(x, a, b), p, 1e-11, 1e-300);
  for (const { x, a, b, p } of referenceValues.betaQuantile) expectNear(betaQuantile(p, a, b), x, 1e-9);
});

test("the noncentral t agrees with R", () => {
  for (const { t, degrees, shift, p } of referenceValues.noncentralT) {
    expectNear(noncentralTCdf(t, degrees, shift), p, 1e-9, 1e-9);
  }
});

test("distribution functions agree with jStat wherever both go", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -8, max: 8, noNaN: true }),
      fc.integer({ min: 1, max: 200 }),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      (t, degrees, p) => {
        expectNear(studentTCdf(t, degrees), jstat.studentt.cdf(t, degrees), 1e-6, 1e-7);
        expectNear(normalCdf(t), jstat.normal.cdf(t, 0, 1), 1e-7, 1e-7);
        expectNear(betaQuantile(p, degrees, 3), jstat.beta.inv(p, degrees, 3), 1e-6);
      },
    ),
  );
});

test("quantiles invert distribution functions", () => {
  const probability = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });
  const parameter = fc.double({ min: 0.3, max: 300, noNaN: true });
  fc.assert(
    fc.property(probability, parameter, parameter, (p, a, b) => {
      expectNear(normalCdf(normalQuantile(p)), p, 1e-10);
      expectNear(studentTCdf(studentTQuantile(p, a), a), p, 1e-8);
      const x = betaQuantile(p, a, b);
      // Near an end x has too few digits to carry the probability back.
      if (x > 1e-300 && x < 1 - 1e-6) expectNear(incompleteBeta(x, a, b), p, 1e-7);
    }),
  );
});

test("what is not a probability is refused", () => {
  expect(() => normalQuantile(0)).toThrow(RangeError);
  expect(() => studentTQuantile(1, 5)).toThrow(RangeError);
  expect(() => incompleteBeta(1.1, 1, 1)).toThrow(RangeError);
  expect(() => logGamma(0)).toThrow(RangeError);
});
