import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requiredChanges } from "./required-changes.ts";

const facts = fc
  .dictionary(fc.constantFrom("a", "b", "c", "d", "e", "f"), fc.constantFrom("0", "1", "2"))
  .map((record) => new Map(Object.entries(record)));

describe("required changes", () => {
  test("the expected state scores 1, one nobody touched 0, and no other state 1", () => {
    fc.assert(
      fc.property(facts, facts, facts, (initial, expected, actual) => {
        const same = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
          one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
        expect(requiredChanges(expected, initial, expected).score).toBe(1);
        if (!same(initial, expected)) expect(requiredChanges(initial, initial, expected).score).toBe(0);
        const { score } = requiredChanges(actual, initial, expected);
        expect(score === 1).toBe(same(actual, expected));
        expect(score).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test("a needless change takes back what a right one earned", () => {
    const initial = new Map([
      ["a", "1"],
      ["b", "1"],
      ["c", "1"],
    ]);
    const expected = new Map([
      ["a", "2"],
      ["b", "2"],
      ["c", "1"],
    ]);
    const actual = new Map([
      ["a", "2"],
      ["b", "2"],
      ["c", "9"],
    ]);
    expect(requiredChanges(actual, initial, expected)).toEqual({
      score: 0.5,
      message: "2 of 2 changes are right (entry); 1 others were changed that should not be.",
      evidence: [{ about: "c", was: "1", expected: "1", found: "9" }],
    });
  });
});
