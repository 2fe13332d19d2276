import fc from "fast-check";
import { expect, test } from "vitest";
import { closeTo } from "./close-to.ts";
import { gapToBest } from "./gap-to-best.ts";
import { gradedCloseness } from "./graded-closeness.ts";
import { numberText, numberTexts } from "./number-text.ts";

test.each([
  [0.1 + 0.2, "0.3"],
  [1 / 3, "0.333333"],
  [-2.0000000000000004, "-2"],
  [1234567.891, "1234567.89"],
  [12345678901234, "12345678901234"],
  [0, "0"],
  [-0, "0"],
  [1e-300, "1e-300"],
  [5e-324, "5e-324"],
  [1e300, "1e+300"],
  [Number.POSITIVE_INFINITY, "Infinity"],
  [Number.NaN, "NaN"],
])("%d stands in a message as %s", (value, text) => {
  expect(numberText(value)).toBe(text);
});

test("as many digits are shown as it takes to agree with what is said, up to all there are", () => {
  expect(numberText(0.999999999, (shown) => shown < 1)).toBe("0.999999999");
  expect(numberText(0.1 + 0.2, (shown) => shown !== 0.3)).toBe("0.30000000000000004");
  expect(numberText(1 / 3, () => false)).toBe(String(1 / 3));
  expect(numberTexts([1.00000012, 1], ([a, b]) => a !== b)).toEqual(["1.0000001", "1"]);
});

test("a number that is just within its tolerance looks so, and one that is just outside does too", () => {
  expect(closeTo(0.1 + 0.2, 0.3, { absolute: 1e-9 }).message).toBe("0.3 is close enough to 0.3.");
  expect(closeTo(0.3, 0.1 + 0.2).message).toBe("Expected 0.30000000000000004, found 0.3.");
  expect(closeTo(1.1000001, 1, { absolute: 0.1 }).message).toBe("Expected 1, found 1.1000001.");
  expect(closeTo(1234.571, 1234.56789, { absolute: 0.002 }).message).toBe(
    "Expected 1234.568, found 1234.571.",
  );
  expect(gapToBest(102.0000001, 100, { better: "lower", fullGap: 0.02, zeroGap: 1 }).message).toBe(
    "Objective 102, best known 100: gap 0.020000001.",
  );
  expect(gradedCloseness(11.0000001, 10, { tolerance: 1, limit: 5, scale: "absolute" }).message).toBe(
    "Expected 10, found 11.0000001: absolute error 1.0000001.",
  );
});

test("what is shown of two numbers is close enough exactly when they are, and the evidence keeps every digit", () => {
  const number = fc.double({ min: -1e9, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(number, number, fc.double({ min: 0, max: 10, noNaN: true }), (actual, off, absolute) => {
      const expected = actual + off / 1e9;
      const { score, message, evidence } = closeTo(actual, expected, { absolute });
      const [first, second] = [...message.matchAll(/-?\d[\d.]*(e[+-]\d+)?(?=[ ,]|\.$)/g)].map(([text]) =>
        Number(text),
      );
      expect(closeTo(first, second ?? Number.NaN, { absolute }).score).toBe(score);
      expect(evidence).toEqual({ expected, actual });
    }),
  );
});
