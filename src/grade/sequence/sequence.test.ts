import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import { assignGreedily, assignOptimally } from "./assign.ts";
import { boundedEditDistance } from "./edit-distance.ts";
import { lcsLength } from "./lcs-length.ts";
import { matchRecords } from "./match-records.ts";
import { multisetAgreement } from "./multiset-agreement.ts";
import { averageRanks, kendallTau, spearman } from "./rank-correlation.ts";
import { rankingAgreement } from "./ranking-agreement.ts";
import { sequenceSimilarity } from "./sequence-similarity.ts";
import { setAgreement } from "./set-agreement.ts";

const item: fc.Arbitrary<string> = fc.constantFrom("a", "b", "c", "d", "e");
const list = fc.array(item, { maxLength: 90 });

/** The textbook table, for comparison. */
function table(first: readonly string[], second: readonly string[], edit: boolean): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => (edit ? index : 0));
  for (const [at, a] of first.entries()) {
    const below = [edit ? at + 1 : 0];
    for (const [column, b] of second.entries()) {
      const [diagonal = 0, above = 0, left = 0] = [row[column], row[column + 1], below[column]];
      if (edit) below.push(Math.min(diagonal + (a === b ? 0 : 1), above + 1, left + 1));
      else below.push(a === b ? diagonal + 1 : Math.max(above, left));
    }
    row = below;
  }
  return row.at(-1) ?? 0;
}

describe("set and multiset agreement", () => {
  it("gives precision, recall and F1", () => {
    const outcome = setAgreement(["a", "b", "x", "y"], ["a", "b", "c"]);
    expect(outcome.score).toBe(4 / 7);
    expect(outcome.evidence).toMatchObject({ precision: 0.5, recall: 2 / 3, missing: ['"\\"c\\""'] });
  });

  it("counts repetition in a multiset only", () => {
    expect(setAgreement(["a", "a"], ["a"]).score).toBe(1);
    expect(multisetAgreement(["a", "a"], ["a"]).score).toBe(2 / 3);
  });

  it("tells the number 1 from the text 1, and does not mind key order", () => {
    expect(setAgreement([1], ["1"]).score).toBe(0);
    expect(setAgreement([{ a: 1, b: 2 }], [{ b: 2, a: 1 }]).score).toBe(1);
    expect(setAgreement(["__proto__"], ["constructor"]).score).toBe(0);
  });

  it("gives nothing to an empty answer, whichever number is asked for", () => {
    for (const score of ["f1", "precision", "recall"] as const) {
      expect(setAgreement([], ["a"], { score }).score).toBe(0);
      expect(setAgreement([], [], { score }).score).toBe(1);
    }
  });

  it("is 1 for a shuffle, symmetric, and below 1 when an item is changed", () => {
    fc.assert(
      fc.property(list, list, fc.nat(), (a, b, pick) => {
        expect(multisetAgreement(a.toReversed(), a).score).toBe(1);
        expect(multisetAgreement(a, b).score).toBe(multisetAgreement(b, a).score);
        if (a.length > 0) {
          expect(multisetAgreement(a.with(pick % a.length, "other"), a).score).toBeLessThan(1);
        }
      }),
    );
  });
});

describe("the longest common subsequence", () => {
  it("is as long as the textbook table says", () => {
    fc.assert(
      fc.property(list, list, (a, b) => {
        expect(lcsLength(a, b)).toBe(table(a, b, false));
      }),
    );
  });

  it("makes the similarity of sequences", () => {
    // Cormen et al., Introduction to Algorithms: ABCBDAB and BDCABA share 4.
    expect(sequenceSimilarity([..."ABCBDAB"], [..."BDCABA"]).score).toBe(8 / 13);
    expect(sequenceSimilarity([], []).score).toBe(1);
  });

  it("handles twenty thousand items", () => {
    const long = Array.from({ length: 20_000 }, (_, index) => `i${index % 7}`);
    expect(sequenceSimilarity(long, long).score).toBe(1);
  });
});

describe("the bounded edit distance", () => {
  it("is the textbook distance up to the limit, and undefined beyond", () => {
    fc.assert(
      fc.property(list, list, fc.nat({ max: 100 }), (a, b, limit) => {
        const distance = table(a, b, true);
        expect(boundedEditDistance(a, b, limit)).toBe(distance <= limit ? distance : undefined);
      }),
      { numRuns: 500 },
    );
  });
});

describe("rank correlation", () => {
  it("averages the ranks of ties", () => {
    expect(averageRanks([12, 2, 1, 12, 2])).toEqual([4.5, 2.5, 1, 4.5, 2.5]);
  });

  it("matches published values", () => {
    // SciPy's reference page for kendalltau; Spearman by Python's statistics module on its ranks.
    expect(kendallTau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])).toBeCloseTo(-0.47140452079103173, 14);
    expect(spearman([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])).toBeCloseTo(-0.5407380704358752, 14);
    // The textbook pair of intelligence quotient and television hours: −29/165.
    const quotient = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110];
    const hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17];
    expect(spearman(quotient, hours)).toBeCloseTo(-29 / 165, 14);
  });

  it("is 1 with itself, −1 with its reverse, symmetric, undefined when all are tied", () => {
    const values = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(values, (a) => {
        const tied = new Set(a).size === 1;
        for (const correlate of [spearman, kendallTau]) {
          expect(correlate(a, a)).toBe(tied ? undefined : 1);
          expect(
            correlate(
              a,
              a.map((value) => -value),
            ),
          ).toBe(tied ? undefined : -1);
          expect(correlate(a, a.toReversed())).toBe(correlate(a.toReversed(), a));
        }
      }),
    );
  });

  it("refuses lists that do not pair", () => {
    expect(() => spearman([1], [1, 2])).toThrow(AleError);
    expect(() => kendallTau([Number.NaN], [1])).toThrow(AleError);
  });
});

describe("ranking agreement", () => {
  const expected = ["a", "b", "c", "d", "e"];
  it.each(["spearman", "kendall"] as const)(
    "by %s is 1 for the same, 0 for the reverse, between for a swap",
    (method) => {
      expect(rankingAgreement(expected, expected, { method }).score).toBe(1);
      expect(rankingAgreement(expected.toReversed(), expected, { method }).score).toBe(0);
      const swapped = rankingAgreement(["b", "a", "c", "d", "e"], expected, { method }).score;
      expect(swapped).toBeGreaterThan(0.7);
      expect(swapped).toBeLessThan(1);
    },
  );

  it("loses for items left out, made up or repeated", () => {
    const method = "spearman";
    expect(rankingAgreement(["a", "b", "c", "d"], expected, { method }).score).toBe(8 / 9);
    expect(rankingAgreement([...expected, "x"], expected, { method }).score).toBe(10 / 11);
    expect(rankingAgreement([...expected, "a"], expected, { method }).score).toBe(10 / 11);
    expect(rankingAgreement([], expected, { method }).score).toBe(0);
    expect(rankingAgreement(["a"], expected, { method }).score).toBe(2 / 6);
  });

  it("refuses an expectation that is no ranking", () => {
    expect(() => rankingAgreement([], [], { method: "kendall" })).toThrow(AleError);
    expect(() => rankingAgreement([], ["a", "a"], { method: "kendall" })).toThrow(AleError);
  });
});

describe("assignment", () => {
  const matrix = fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
    .chain(([rows, columns]) =>
      fc.array(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      }),
    );
  function best(
    gain: readonly (readonly number[])[],
    row = 0,
    used: ReadonlySet<number> = new Set(),
  ): number {
    if (row === gain.length) return 0;
    let most = best(gain, row + 1, used);
    for (const [column, value] of (gain[row] ?? []).entries()) {
      if (!used.has(column)) most = Math.max(most, value + best(gain, row + 1, new Set([...used, column])));
    }
    return most;
  }

  it("finds the largest total that trying everything finds, using nothing twice", () => {
    fc.assert(
      fc.property(matrix, (gain) => {
        for (const assign of [assignOptimally, assignGreedily]) {
          const pairs = assign(gain);
          expect(new Set(pairs.map((pair) => pair.row)).size).toBe(pairs.length);
          expect(new Set(pairs.map((pair) => pair.column)).size).toBe(pairs.length);
          const total = pairs.reduce((sum, pair) => sum + (gain[pair.row]?.[pair.column] ?? 0), 0);
          const most = best(gain);
          if (assign === assignOptimally) expect(total).toBe(most);
          else expect(total * 2).toBeGreaterThanOrEqual(most);
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe("matched records", () => {
  const near = (a: number, e: number) => Math.max(0, 1 - Math.abs(a - e) / 10);

  it("pair each record at most once, and count partial matches", () => {
    const { pairs, missing, extra, outcome } = matchRecords([10, 21, 50], [20, 10, 99], { similarity: near });
    expect(pairs.map(({ actual, expected }) => [actual, expected])).toEqual([
      [10, 10],
      [21, 20],
    ]);
    expect([missing, extra]).toEqual([[99], [50]]);
    expect(outcome.score).toBeCloseTo((2 * 1.9) / 6, 12);
  });

  it("score 1 for a shuffle and below 1 after any loss or addition", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 12 }), (records) => {
        for (const assignment of ["optimal", "greedy"] as const) {
          const options = { similarity: near, assignment };
          expect(matchRecords(records.toReversed(), records, options).outcome.score).toBe(1);
          expect(matchRecords(records.slice(1), records, options).outcome.score).toBeLessThan(1);
          expect(matchRecords([...records, 7], records, options).outcome.score).toBeLessThan(1);
        }
      }),
    );
  });

  it("never match across keys or below the threshold", () => {
    const key = { actual: String, expected: (record: number) => String(record + 1) };
    expect(matchRecords([5], [5], { similarity: near, key }).pairs).toEqual([]);
    expect(matchRecords([5], [8], { similarity: near, threshold: 0.8 }).outcome.score).toBe(0);
  });

  it("do not hang on a flood of records", () => {
    const flood = Array.from({ length: 100_000 }, () => 1);
    const outcome = matchRecords(flood, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], { similarity: near }).outcome;
    expect(outcome).toMatchObject({ score: 0, message: expect.stringContaining("too many records") });
  });
});
