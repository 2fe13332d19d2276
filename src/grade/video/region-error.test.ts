import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addRegion, emptySums, meanOf } from "./region-error.ts";

const picture = fc.uint8Array({ minLength: 60, maxLength: 60 });
const everywhere = Int32Array.from({ length: 20 }, (_, pixel) => pixel);

describe("the error of a region", () => {
  test("is 0 against itself, the same both ways, and that of the offset when all is offset", () => {
    fc.assert(
      fc.property(picture, picture, fc.integer({ min: 0, max: 40 }), (one, other, offset) => {
        const sums = (first: Uint8Array, second: Uint8Array) => {
          const own = emptySums();
          addRegion(own, first, second, everywhere);
          return own;
        };
        expect(meanOf(sums(one, one), "difference")).toBe(0);
        expect(sums(one, other).difference).toBeCloseTo(sums(other, one).difference);
        const dark = one.map((value) => value % 200);
        const bright = sums(
          dark.map((value) => value + offset),
          dark,
        );
        expect(meanOf(bright, "difference")).toBeCloseTo(offset);
        expect(meanOf(bright, "spill")).toBe(0);
      }),
    );
  });

  test("counts only the pixels of the region", () => {
    const sums = emptySums();
    addRegion(sums, new Uint8Array(60).fill(255), new Uint8Array(60), Int32Array.from([3]));
    expect(sums).toEqual({ pixels: 1, difference: 255, spill: 0 });
  });

  test("finds a cast of green, and no other", () => {
    const cast = (actual: readonly number[]): number => {
      const sums = emptySums();
      addRegion(sums, Uint8Array.from(actual), Uint8Array.from([10, 50, 40]), Int32Array.from([0]));
      return meanOf(sums, "spill");
    };
    expect([cast([10, 90, 40]), cast([50, 90, 80]), cast([90, 50, 40])]).toEqual([40, 0, 0]);
  });
});
