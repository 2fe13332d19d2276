import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import { linearMatch } from "./linear-match.ts";

const { source } = fc.letrec<{ source: string; atom: string; piece: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 2, depthSize: "small", withCrossShrink: true },
    fc.constantFrom("a", "b", "c", ".", "\\d", "\\w", "[ab]", "[^b\\n]", "\\s", "\\.", "\\p{Lu}", "\\n", "-"),
    tie("source").map((inner) => `(${inner})`),
    tie("source").map((inner) => `(?:${inner})`),
  ),
  piece: fc.oneof(
    fc
      .tuple(tie("atom"), fc.constantFrom("", "*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?"))
      .map((p) => p.join("")),
    fc.constantFrom("^", "$", "\\b", "\\B"),
  ),
  source: fc
    .array(
      fc.array(tie("piece"), { maxLength: 3 }).map((pieces) => pieces.join("")),
      { minLength: 1, maxLength: 2 },
    )
    .map((alternatives) => alternatives.join("|")),
}));

const text = fc.string({
  unit: fc.constantFrom("a", "b", "c", "A", "É", "1", " ", "\n", ".", "-", "€"),
  maxLength: 14,
});

describe("linear matching", () => {
  it("answers as the built-in engine does", () => {
    fc.assert(
      fc.property(source, fc.constantFrom("u", "ui", "um", "us", "uim"), text, (pattern, flags, value) => {
        const native = new RegExp(pattern, flags);
        expect(linearMatch(native, value)).toBe(native.test(value));
      }),
      { numRuns: 1000 },
    );
  });

  it("takes a character beyond the basic plane for one", () => {
    expect(linearMatch(/^.$/, "💶")).toBe(true);
    expect(linearMatch(/^[💶]{2}$/u, "💶💶")).toBe(true);
    // Not between the halves of the pair, where some built-in engines find a place that is no boundary.
    expect(linearMatch(/\B/, "a💶a")).toBe(false);
  });

  it("is not made to hang by text that makes the built-in engine backtrack for ever", () => {
    const hostile = `${"a".repeat(50_000)}!`;
    expect(linearMatch(/^(a+)+$/, hostile)).toBe(false);
    expect(linearMatch(/(a|aa)*b/, hostile)).toBe(false);
    expect(linearMatch(/a*a*a*a*b/, hostile)).toBe(false);
  });

  it("understands everyday expressions written without the u flag", () => {
    expect(
      linearMatch(/net\s+present-value:\s*"?-?\d{1,3}(?:,\d{3})*"?/i, 'NET present-value: "-1,234"'),
    ).toBe(true);
    expect(linearMatch(/[\w.-]+@[\w-]+\.com/, "mail a.b-c@d-e.com now")).toBe(true);
    expect(linearMatch(/(?<year>\d{4})\/\d\d/, "2026/11")).toBe(true);
  });

  it.each([/(a)\1/, /(?=a)b/, /(?<!a)b/, /a/g, /a{3000}/])("refuses %s", (pattern) => {
    expect(() => linearMatch(pattern, "a")).toThrow(AleError);
  });
});
