import { expect, test } from "vitest";
import { falseSeparations, meanCoverage } from "./fixtures/coverage-cases.ts";

test("the default interval covers about as often as it says, with few workflows as with many", () => {
  for (const workflows of [20, 60, 150]) {
    const { made, covered } = meanCoverage(workflows, "binary", "workflow", 600);
    // 600 rounds know the share to about two points.
    expect(covered / made).toBeGreaterThan(0.925);
    expect(covered / made).toBeLessThan(0.975);
  }
});

test("equal contestants are seldom told apart", () => {
  expect(falseSeparations(20, 300)).toBeLessThan(0.08);
});
