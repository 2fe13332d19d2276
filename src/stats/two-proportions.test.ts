import { expect, test } from "vitest";
import { twoProportionTest } from "./two-proportions.ts";

// R 4.2: prop.test(c(58, 52), c(152, 152), correct = FALSE)$p.value, and c(58, 13), c(152, 145).
test("p-values agree with R's uncorrected test of two proportions", () => {
  const first = { rate: 58 / 152, trials: 152 };
  const p = twoProportionTest(first, { rate: 52 / 152, trials: 152 });
  expect(p.known && p.value).toBeCloseTo(0.4739121, 6);
  const small = twoProportionTest(first, { rate: 13 / 145, trials: 145 });
  expect(small.known && small.value / 3.720328e-9).toBeCloseTo(1, 6);
});

test("rates at the same end, or of nothing, cannot be told apart", () => {
  expect(twoProportionTest({ rate: 0, trials: 5 }, { rate: 0, trials: 7 }).known).toBe(false);
  expect(twoProportionTest({ rate: 0, trials: 0 }, { rate: 1, trials: 7 }).known).toBe(false);
});
