import { expect, test } from "vitest";
import { type CodedUnit, cohenKappa, krippendorffAlpha } from "./agreement.ts";

function units(...coders: readonly string[]): readonly CodedUnit[] {
  return Array.from(
    { length: Math.max(...coders.map((line) => line.length)) },
    (_, index) =>
      new Map(
        coders.flatMap((line, coder) => {
          const label = line[index];
          return label === undefined || label === "." ? [] : [[`c${coder}`, label] as const];
        }),
      ),
  );
}

// K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example C: nominal 0.743.
test("alpha of four coders with missing labels is as published", () => {
  const coded = units("123321412...", "1233224125.3", ".3332342251.", "12332441251.");
  const alpha = krippendorffAlpha(coded);
  expect(alpha.known && alpha.value).toBeCloseTo(0.743, 3);
});

// The usual textbook table of 50 proposals: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no gives 0.4.
test("kappa of two coders is as in the textbook", () => {
  const first = `${"y".repeat(25)}${"n".repeat(25)}`;
  const second = `${"y".repeat(20)}${"n".repeat(5)}${"y".repeat(10)}${"n".repeat(15)}`;
  const kappa = cohenKappa(units(first, second), "c0", "c1");
  expect(kappa.known && kappa.value).toBeCloseTo(0.4, 12);
});

test("agreement is 1 where all agree, and unknown where there is nothing to disagree on", () => {
  expect(krippendorffAlpha(units("ab", "ab"))).toEqual({ known: true, value: 1 });
  expect(krippendorffAlpha(units("aa", "aa")).known).toBe(false);
  expect(krippendorffAlpha(units("ab", "..")).known).toBe(false);
  expect(cohenKappa(units("aa", "aa"), "c0", "c1").known).toBe(false);
  expect(cohenKappa(units("a.", ".a"), "c0", "c1").known).toBe(false);
});
