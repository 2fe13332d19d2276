import { expect, test } from "vitest";
import type { Estimand } from "./clusters.ts";
import { falseSeparations, meanCoverage } from "./fixtures/coverage-cases.ts";

const estimands: readonly Estimand[] = ["workflow", "instance", "trial"];

test.each([20, 60, 150])("the default interval covers 94 to 96 of 100 times at %i workflows", (workflows) => {
  for (const kind of ["binary", "score"] as const) {
    for (const estimand of estimands) {
      const { made, covered } = meanCoverage(workflows, kind, estimand, 20_000);
      expect(covered / made, `${kind}, ${estimand}`).toBeGreaterThan(0.94);
      expect(covered / made, `${kind}, ${estimand}`).toBeLessThan(0.96);
    }
  }
});

test.each([20, 60, 150])("tie bands keep a family-wise 95% at %i workflows", (workflows) => {
  expect(falseSeparations(workflows, 4000)).toBeLessThan(0.056);
});
