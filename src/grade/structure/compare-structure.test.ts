import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import { canonicalJson } from "../../contract/canonical-json.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { fromReference } from "../rubric/from-reference.ts";
import { compareStructure } from "./compare-structure.ts";
import { parseJson } from "./parse-json.ts";
import { parseXml } from "./parse-xml.ts";
import { pathPattern } from "./path-pattern.ts";
import type { StructureRule } from "./structure-rule.ts";

const json = fc.jsonValue({ maxDepth: 4 }).map((data) => fromReference(parseJson(JSON.stringify(data), "x")));

const invoice: JsonValue = {
  id: "A-7",
  total: 30,
  lines: [
    { sku: "x", amount: 10, note: "Tea" },
    { sku: "y", amount: 20, note: "Milk" },
  ],
};

interface Line {
  sku?: string;
  amount?: unknown;
  note?: string;
}

interface Invoice {
  id?: string;
  total?: unknown;
  more?: unknown;
  lines: Line[];
}

/** The same invoice, changed. */
function changed(change: (copy: Invoice) => void): JsonValue {
  const copy = structuredClone(invoice) as unknown as Invoice;
  change(copy);
  return copy as unknown as JsonValue;
}

function score(actual: JsonValue, rules: readonly StructureRule[] = []): number {
  return compareStructure(actual, invoice, rules).score;
}

describe("comparing structure", () => {
  it("is 1 exactly for equal values", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(compareStructure(a, structuredClone(a)).score).toBe(1);
        const { score: found } = compareStructure(a, b);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found === 1).toBe(canonicalJson(a) === canonicalJson(b));
      }),
    );
  });

  it("counts right leaves among the expected and the extra ones", () => {
    expect(
      score(
        changed((copy) => {
          copy.total = 31;
        }),
      ),
    ).toBe(7 / 8);
    expect(
      score(
        changed((copy) => {
          delete copy.id;
        }),
      ),
    ).toBe(7 / 8);
    expect(
      score(
        changed((copy) => {
          copy.more = [1, 2];
        }),
      ),
    ).toBe(8 / 10);
    expect(score([])).toBe(0);
  });

  it("lists the differences by path", () => {
    const actual = changed((copy) => {
      (copy.lines[1] as Line).amount = "20";
      delete copy.id;
      copy.more = {};
    });
    expect(compareStructure(actual, invoice).evidence).toMatchObject({
      differences: [
        { path: "/id", problem: "missing", expected: '"A-7"' },
        { path: "/lines/1/amount", problem: "differs", expected: "20", actual: '"20"' },
        { path: "/more", problem: "extra", actual: "an object of 0" },
      ],
    });
  });

  it("allows a tolerance where a rule says so", () => {
    const near = changed((copy) => {
      copy.total = 30.04;
    });
    expect(score(near)).toBeLessThan(1);
    expect(score(near, [{ path: "/total", tolerance: { absolute: 0.05 } }])).toBe(1);
    expect(score(near, [{ path: "/lines/*/amount", tolerance: { absolute: 0.05 } }])).toBeLessThan(1);
  });

  it("lets a later rule win over an earlier one, field by field", () => {
    const near = changed((copy) => {
      copy.total = 30.04;
    });
    const rules = [
      { path: "/**", tolerance: { absolute: 1 } },
      { path: "/total", tolerance: { absolute: 0.01 } },
    ];
    expect(score(near, rules)).toBeLessThan(1);
  });

  it("ignores, normalises, allows extra and optional where rules say so", () => {
    const actual = changed((copy) => {
      delete copy.id;
      copy.more = 1;
      (copy.lines[0] as Line).note = " TEA ";
      (copy.lines[1] as Line).amount = null;
    });
    const rules: StructureRule[] = [
      { path: "/id", optional: true },
      { path: "", allowExtra: true },
      { path: "/**/note", text: { letterCase: "fold" } },
      { path: "/lines/*/amount", ignore: true },
    ];
    expect(score(actual, rules)).toBe(1);
    for (const dropped of rules)
      expect(
        score(
          actual,
          rules.filter((rule) => rule !== dropped),
        ),
      ).toBeLessThan(1);
  });

  it("pairs the items of a list by key, or as a multiset", () => {
    const turned = changed((copy) => {
      copy.lines.reverse();
    });
    expect(score(turned)).toBeLessThan(1);
    expect(score(turned, [{ path: "/lines", unordered: { by: ["sku"] } }])).toBe(1);
    expect(score(turned, [{ path: "/lines", unordered: "by-value" }])).toBe(1);
    const doubled = changed((copy) => {
      copy.lines.push(structuredClone(copy.lines[0] as never));
    });
    expect(score(doubled, [{ path: "/lines", unordered: { by: ["sku"] } }])).toBe(8 / 11);
    const keyless = changed((copy) => {
      copy.lines[0] = { amount: 10 };
    });
    expect(score(keyless, [{ path: "/lines", unordered: { by: ["sku"] } }])).toBe(5 / 9);
  });

  it("takes numbers in XML text with a tolerance", () => {
    const read = (total: string) => fromReference(parseXml(`<i><total cur="EUR">${total}</total></i>`, "x"));
    const rules = [{ path: "/**/total/*/#text", tolerance: { relative: 0.01 } }];
    expect(compareStructure(read("100.5"), read("100"), rules).score).toBe(1);
    expect(compareStructure(read("102"), read("100"), rules).score).toBe(1 / 2);
    expect(compareStructure(read("NaN"), read("100"), rules).score).toBe(1 / 2);
  });

  it("does not take inherited names for members", () => {
    expect(compareStructure({}, { constructor: 1, toString: 2 } as never).score).toBe(0);
  });

  it("loses by any one change to any one leaf", () => {
    fc.assert(
      fc.property(json, fc.nat(), (data, pick) => {
        expect(compareStructure(changeLeaf(data, pick), data).score).toBeLessThan(1);
      }),
    );
  });
});

describe("a path pattern", () => {
  it.each([
    ["", [], true],
    ["/a", ["a"], true],
    ["/a", ["a", "b"], false],
    ["/*/b", ["x", "b"], true],
    ["/**", [], true],
    ["/**/b", ["b"], true],
    ["/**/b", ["a", "c", "b"], true],
    ["/**/b/*", ["b", "b", "c"], true],
    ["/**/b", ["b", "c"], false],
    ["/a~1b/~0", ["a/b", "~"], true],
  ])("%s against %j", (pattern, path, fits) => {
    expect(pathPattern(pattern)(path)).toBe(fits);
  });

  it("must start with a slash", () => {
    expect(() => pathPattern("total")).toThrow(AleError);
  });
});

function changeLeaf(value: JsonValue, pick: number): JsonValue {
  if (value === null || typeof value !== "object") return value === "changed" ? "other" : "changed";
  const copy = structuredClone(value) as { [key: string]: JsonValue };
  const keys = Object.keys(copy);
  const key = keys[pick % Math.max(1, keys.length)];
  if (key === undefined) return "changed";
  copy[key] = changeLeaf(copy[key] as JsonValue, Math.floor(pick / keys.length));
  return copy as JsonValue;
}
