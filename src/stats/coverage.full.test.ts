import { expect, test } from "vitest";
import type { Estimand } from "./clusters.ts";
import { falseSeparations, meanCoverage } from "./fixtures/coverage-cases.ts";

const sizes = [20, 60, 150];
const kinds = ["binary", "score"] as const;

test.each(sizes)("the default interval covers 94 to 96 of 100 times at %i workflows", (workflows) => {
  for (const kind of kinds) {
    const { made, covered } = meanCoverage(workflows, kind, "workflow", 20_000);
    expect(covered / made, kind).toBeGreaterThan(0.94);
    expect(covered / made, kind).toBeLessThan(0.96);
  }
});

// Uneven weights leave fewer workflows' worth of information than G - 1 degrees of freedom assume.
test.each(sizes)(
  "the other estimands' intervals fall short by at most a point at %i workflows",
  (workflows) => {
    for (const estimand of ["instance", "trial"] satisfies Estimand[]) {
      const { made, covered } = meanCoverage(workflows, "binary", estimand, 20_000);
      expect(covered / made, estimand).toBeGreaterThan(0.935);
      expect(covered / made, estimand).toBeLessThan(0.96);
    }
  },
);

test.each(sizes)("tie bands keep a family-wise 95% at %i workflows", (workflows) => {
  expect(falseSeparations(workflows, 4000)).toBeLessThan(0.056);
});
