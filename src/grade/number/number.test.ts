import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import { closeTo } from "./close-to.ts";
import { convertUnit } from "./convert-unit.ts";
import { gapToBest } from "./gap-to-best.ts";
import { gradedCloseness } from "./graded-closeness.ts";
import { parseQuantity } from "./parse-quantity.ts";
import { quantityCloseTo } from "./quantity-close-to.ts";
import type { Tolerance } from "./tolerance.ts";

const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 });
const tolerance: fc.Arbitrary<Tolerance> = fc.record(
  {
    absolute: fc.double({ min: 0, max: 1e6, noNaN: true }),
    relative: fc.double({ min: 0, max: 2, noNaN: true }),
    significantDigits: fc.integer({ min: 1, max: 15 }),
  },
  { requiredKeys: [] },
);

describe("close to", () => {
  it.each<[number, number, Tolerance, number]>([
    [1.1, 1, { absolute: 0.1 }, 1],
    [0.9, 1, { absolute: 0.1 }, 1],
    [1.1000001, 1, { absolute: 0.1 }, 0],
    [101, 100, { relative: 0.01 }, 1],
    [101.01, 100, { relative: 0.01 }, 0],
    [0.3, 0.1 + 0.2, {}, 0],
    [0, 0, {}, 1],
    [1e-300, 0, { relative: 1 }, 0],
    [3.14, Math.PI, { significantDigits: 3 }, 1],
    [3.13, Math.PI, { significantDigits: 3 }, 0],
    [1235, 1234.4, { significantDigits: 4 }, 0],
    [1234.9, 1234.4, { significantDigits: 4 }, 1],
    [105, 100, { absolute: 1, relative: 0.05 }, 1],
  ])("%d against %d within %o scores %i", (actual, expected, bounds, score) => {
    expect(closeTo(actual, expected, bounds).score).toBe(score);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, "1", null, undefined, [1], true])(
    "never passes %o",
    (actual) => {
      expect(closeTo(actual, 1, { absolute: 1e9, relative: 1e9 }).score).toBe(0);
    },
  );

  it("passes the number itself, and never a farther one where a nearer one fails", () => {
    fc.assert(
      fc.property(finite, finite, finite, tolerance, (expected, first, second, bounds) => {
        expect(closeTo(expected, expected, bounds).score).toBe(1);
        const [near, far] = [
          Math.min(Math.abs(first), Math.abs(second)),
          Math.max(Math.abs(first), Math.abs(second)),
        ];
        expect(closeTo(expected + near, expected, bounds).score).toBeGreaterThanOrEqual(
          closeTo(expected + far, expected, bounds).score,
        );
      }),
    );
  });

  it("accepts what any one of the bounds accepts", () => {
    fc.assert(
      fc.property(finite, finite, tolerance, (actual, expected, bounds) => {
        const each = Object.entries(bounds).map(
          ([key, value]) => closeTo(actual, expected, { [key]: value }).score,
        );
        expect(closeTo(actual, expected, bounds).score).toBe(Math.max(actual === expected ? 1 : 0, ...each));
      }),
    );
  });

  it("refuses a reference or tolerance that makes no sense", () => {
    expect(() => closeTo(1, Number.NaN)).toThrow(AleError);
    expect(() => closeTo(1, 2, { absolute: -1 })).toThrow(AleError);
    expect(() => closeTo(1, 2, { significantDigits: 0 })).toThrow(AleError);
  });
});

describe("graded closeness", () => {
  it("falls in a line from the tolerance to the limit", () => {
    const options = { tolerance: 1, limit: 5, scale: "absolute" } as const;
    expect([10, 11, 13, 15, 99].map((value) => gradedCloseness(value, 10, options).score)).toEqual([
      1, 1, 0.5, 0, 0,
    ]);
  });

  it("is relative to the expected when asked", () => {
    expect(gradedCloseness(115, 100, { tolerance: 0.1, limit: 0.2, scale: "relative" }).score).toBeCloseTo(
      0.5,
      12,
    );
    expect(gradedCloseness(110, 100, { tolerance: 0.1, limit: 0.2, scale: "relative" }).score).toBe(1);
  });

  it("never rises with the error and stays within [0, 1]", () => {
    fc.assert(
      fc.property(finite, finite, (first, second) => {
        const options = { tolerance: 10, limit: 1e6, scale: "absolute" } as const;
        const [near, far] = [
          Math.min(Math.abs(first), Math.abs(second)),
          Math.max(Math.abs(first), Math.abs(second)),
        ];
        const scores = [gradedCloseness(near, 0, options).score, gradedCloseness(far, 0, options).score];
        expect(scores[0]).toBeGreaterThanOrEqual(scores[1] ?? 2);
        expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
      }),
    );
  });

  it("refuses a relative scale around 0", () => {
    expect(() => gradedCloseness(1, 0, { tolerance: 0.1, limit: 1, scale: "relative" })).toThrow(AleError);
  });
});

describe("gap to best", () => {
  it("scores a cost by how far it lies above the best known", () => {
    const options = { better: "lower", fullGap: 0.02, zeroGap: 0.22 } as const;
    const scores = [90, 100, 102, 112, 122, 1e9].map((value) => gapToBest(value, 100, options).score);
    expect(scores).toEqual([1, 1, 1, expect.closeTo(0.5, 12), 0, 0]);
  });

  it("survives a gap beyond all numbers", () => {
    const outcome = gapToBest(1e308, 1e-9, { better: "lower", fullGap: 0, zeroGap: 1 });
    expect(outcome).toMatchObject({ score: 0, evidence: { actual: 1e308, best: 1e-9, beatsBest: false } });
    expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
    const far = gradedCloseness(1e308, 1e-9, { tolerance: 0.1, limit: 1, scale: "relative" });
    expect(JSON.parse(JSON.stringify(far))).toEqual(far);
  });

  it("scores a yield the other way round", () => {
    expect(gapToBest(90, 100, { better: "higher", fullGap: 0, zeroGap: 0.2 }).score).toBeCloseTo(0.5, 12);
    expect(gapToBest(Number.NaN, 100, { better: "higher", fullGap: 0, zeroGap: 0.2 }).score).toBe(0);
  });
});

describe("a quantity", () => {
  it.each([
    ["1.2 kg", {}, 1.2, "kg"],
    ["-12%", {}, -12, "%"],
    ["\u22123.5e-2 m/s", {}, -0.035, "m/s"],
    ["1,234,567.8", { thousands: "," }, 1_234_567.8, ""],
    ["1.234,5 €", { thousands: ".", decimal: "," }, 1234.5, "€"],
    ["1\u202f234,5\u00a0km", { thousands: " ", decimal: "," }, 1234.5, "km"],
    [".5 L", {}, 0.5, "L"],
  ] as const)("is read from %s", (text, format, value, unit) => {
    expect(parseQuantity(text, format)).toEqual({ kind: "ok", value: { value, unit } });
  });

  it.each([
    ["1,234", {}],
    ["1,23", { thousands: "," }],
    ["12,345,6", { thousands: "," }],
    ["1.2.3", {}],
    ["1 2", {}],
    ["NaN", {}],
    ["Infinity", {}],
    ["1e999", {}],
    ["", {}],
    ["kg 3", {}],
    ["0x10", { thousands: "," }],
    ["9".repeat(500), {}],
  ] as const)("is not read from %s", (text, format) => {
    const read = parseQuantity(text, format);
    const harmless = read.kind === "ok" && convertUnit(1, read.value.unit, "") === undefined;
    expect(read.kind === "bad" || harmless).toBe(true);
  });

  // Exact by definition: international yard and pound (1959), BIPM SI brochure.
  it.each([
    [1, "mi", "km", 1.609344],
    [1, "lb", "g", 453.59237],
    [36, "km/h", "m/s", 10],
    [1, "kn", "km/h", 1.852],
    [212, "°F", "°C", 100],
    [-40, "°C", "°F", -40],
    [1, "kWh", "MJ", 3.6],
    [1, "μm", "nm", 1000],
    [12, "%", "", 0.12],
    [25, "bp", "%", 0.25],
    [180, "°", "rad", Math.PI],
  ])("of %d %s is converted to %s", (value, from, to, expected) => {
    expect(convertUnit(value, from, to)).toBeCloseTo(expected, 10);
  });

  it("has no conversion between different things, nor by inherited names", () => {
    expect(convertUnit(1, "kg", "m")).toBeUndefined();
    expect(convertUnit(1, "constructor", "m")).toBeUndefined();
    expect(convertUnit(1, "mW", "MW")).toBeUndefined();
  });

  it("passes in any unit of the same dimension", () => {
    expect(quantityCloseTo("1200 g", { value: 1.2, unit: "kg" }).score).toBe(1);
    expect(
      quantityCloseTo("1.2 lb", { value: 1.2, unit: "kg" }, { tolerance: { relative: 0.01 } }).score,
    ).toBe(0);
    expect(quantityCloseTo("12 €", { value: 12, unit: "€" }).score).toBe(1);
    expect(quantityCloseTo("12 $", { value: 12, unit: "€" }).score).toBe(0);
  });

  it("takes per cent as a hundredth, and a missing unit only when told", () => {
    const twelve = { value: 12, unit: "%" };
    expect(quantityCloseTo("0.12", twelve, { tolerance: { relative: 1e-9 } }).score).toBe(1);
    expect(quantityCloseTo("12", twelve).score).toBe(0);
    expect(quantityCloseTo("12", twelve, { missingUnit: "assume" }).score).toBe(1);
    expect(quantityCloseTo("1.2", { value: 1.2, unit: "kg" }).score).toBe(0);
    expect(quantityCloseTo("1.2", { value: 1.2, unit: "kg" }, { missingUnit: "assume" }).score).toBe(1);
  });
});
