import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editSimilarity } from "./edit-similarity.ts";
import { exactText } from "./exact-text.ts";
import { normaliseText } from "./normalise-text.ts";
import { normalisedText } from "./normalised-text.ts";
import { orderedLines } from "./ordered-lines.ts";
import { patternList } from "./pattern-list.ts";
import { maxTextLength } from "./text-limit.ts";
import { unorderedLines } from "./unordered-lines.ts";

const text = fc.string({ unit: "grapheme", maxLength: 60 });
const lines = fc
  .array(fc.constantFrom("alpha", "beta", "gamma", "delta", ""), { maxLength: 12 })
  .map((l) => l.join("\n"));

describe("exact text", () => {
  it("is 1 exactly for equal texts, whichever comes first", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(exactText(a, a).score).toBe(1);
        expect(exactText(a, b).score).toBe(a === b ? 1 : 0);
        expect(exactText(b, a).score).toBe(exactText(a, b).score);
      }),
    );
  });

  it("says where the first difference is", () => {
    expect(exactText("one\ntwo", "one\ntoo").evidence).toMatchObject({ line: 2, column: 2 });
  });
});

describe("normalised text", () => {
  it("finds full-width letters, ligatures and white space equal", () => {
    expect(normalisedText("ﬁ\u00a0 nal\r\n", " fi nal").score).toBe(1);
  });

  it("minds case unless told, and then also folds ß and the final sigma", () => {
    expect(normalisedText("Straße ΟΔΟΣ", "STRASSE οδος").score).toBe(0);
    expect(normalisedText("Straße ΟΔΟΣ", "STRASSE οδοσ", { letterCase: "fold" }).score).toBe(1);
  });

  it("keeps lines apart when asked", () => {
    expect(normalisedText("\na  \nb\n\n", "a\nb", { whitespace: "lines" }).score).toBe(1);
    expect(normalisedText("a b", "a\nb", { whitespace: "lines" }).score).toBe(0);
  });

  it("normalises what is normal to itself", () => {
    const options = fc.record({
      unicode: fc.constantFrom("NFC", "NFKC", "keep"),
      whitespace: fc.constantFrom("collapse", "lines", "keep"),
      punctuation: fc.constantFrom("drop", "keep"),
    });
    fc.assert(
      fc.property(text, options, (value, choice) => {
        const once = normaliseText(value, choice);
        expect(normaliseText(once, choice)).toBe(once);
      }),
    );
  });

  it("gives 0 to a text too long to look at", () => {
    expect(normalisedText(" ".repeat(maxTextLength + 1), "").score).toBe(0);
  });
});

describe("lines", () => {
  it("are graded by their longest common subsequence when ordered", () => {
    expect(orderedLines("a\nc\nb", "a\nb\nc").score).toBe(4 / 6);
    expect(orderedLines("a\r\nb \r\n", "a\nb").score).toBe(1);
  });

  it("are graded as a multiset when unordered", () => {
    expect(unorderedLines("c\na\nb", "a\nb\nc").score).toBe(1);
    expect(unorderedLines("a\na\nb", "a\nb\nb").score).toBe(4 / 6);
    expect(unorderedLines("", "a").score).toBe(0);
  });

  it("score 1 for identity, symmetrically, and never more unordered than can be", () => {
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        for (const grade of [orderedLines, unorderedLines]) {
          expect(grade(a, a).score).toBe(1);
          expect(grade(a, b).score).toBe(grade(b, a).score);
        }
        expect(orderedLines(a, b).score).toBeLessThanOrEqual(unorderedLines(a, b).score);
      }),
    );
  });

  it("count blank lines only when asked", () => {
    expect(orderedLines("a\n\nb", "a\nb").score).toBe(1);
    expect(orderedLines("a\n\nb", "a\nb", { blankLines: "count" }).score).toBeLessThan(1);
  });
});

describe("edit similarity", () => {
  // Published distances: Navarro's survey (2001) for survey/surgery, Levenshtein's usual kitten/sitting.
  it.each([
    ["kitten", "sitting", 3],
    ["survey", "surgery", 2],
    ["Saturday", "Sunday", 3],
    ["", "abc", 3],
    ["👍🏽", "👍", 1],
  ])("of %s and %s has distance %i", (a, b, distance) => {
    const longest = Math.max(Array.from(a).length, Array.from(b).length);
    expect(editSimilarity(a, b).score).toBe(1 - distance / longest);
  });

  it("stretches the scale between its two ends", () => {
    expect(editSimilarity("abcdefghij", "abcdefghix", { zeroAt: 0.8 }).score).toBeCloseTo(0.5, 12);
    expect(editSimilarity("abcdefghij", "abcdefghix", { fullAt: 0.9 }).score).toBe(1);
    expect(editSimilarity("abcdefghij", "abcdefgxyz", { zeroAt: 0.8 }).score).toBe(0);
  });

  it("counts words when asked", () => {
    expect(editSimilarity("the quick  fox", "the slow fox", { unit: "word" }).score).toBeCloseTo(2 / 3, 12);
  });

  it("is symmetric, 1 for the same text, below 1 for another", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(editSimilarity(a, a).score).toBe(1);
        expect(editSimilarity(a, b).score).toBe(editSimilarity(b, a).score);
        if (a !== b) expect(editSimilarity(a, b).score).toBeLessThan(1);
      }),
    );
  });

  it("does not spend its time on an endless text", () => {
    expect(editSimilarity("x".repeat(3_000_000), "expected").score).toBe(0);
  });
});

describe("a pattern list", () => {
  it("gives the weighted share of the patterns that hold", () => {
    const outcome = patternList("Total due: 12.50 EUR", [
      { name: "total", pattern: /total due/i, weight: 2 },
      { name: "amount", pattern: /\b\d+\.\d{2}\b/ },
      { name: "no dollars", pattern: /USD|\$/, expect: "absent" },
      { name: "date", pattern: /\d{4}-\d{2}-\d{2}/ },
    ]);
    expect(outcome.score).toBe(0.8);
    expect(outcome.evidence).toEqual({ failed: [{ name: "date", expect: "present" }] });
  });

  it("gives an empty text nothing for what it leaves out", () => {
    const patterns = [
      { name: "a", pattern: /a/ },
      { name: "no b", pattern: /b/, expect: "absent" as const },
    ];
    expect(patternList("", patterns).score).toBe(0);
  });
});
