import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editDistance, nearest } from "./nearest.ts";

describe("edit distance", () => {
  test.each([
    ["kitten", "sitting", 3],
    ["teir", "tier", 1],
    ["", "abc", 3],
    ["same", "same", 0],
    ["ca", "abc", 3],
  ])("%s to %s is %i", (first, second, distance) => {
    expect(editDistance(first, second)).toBe(distance);
  });

  test("is symmetric, zero only for equals, and at most the longer length", () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, (first, second) => {
        const distance = editDistance(first, second);
        expect(distance).toBe(editDistance(second, first));
        expect(distance === 0).toBe(first === second);
        expect(distance).toBeLessThanOrEqual(Math.max(first.length, second.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(first.length - second.length));
      }),
    );
  });
});

describe("the nearest candidate", () => {
  const keys = ["wall_minutes", "working_minutes", "tokens", "cost_usd", "calls"];

  test.each([
    ["wall-minutes", "wall_minutes"],
    ["wallMinutes", "wall_minutes"],
    ["token", "tokens"],
    ["cost", "cost_usd"],
    ["network", undefined],
    ["zzz", undefined],
  ])("of %s is %s", (written, expected) => {
    expect(nearest(written, keys)).toBe(expected);
  });

  test("of a candidate is itself", () => {
    fc.assert(fc.property(fc.constantFrom(...keys), (key) => nearest(key, keys) === key));
  });
});
