import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import type { JsonValue } from "./json-value.ts";

test("keys come in code-unit order at every depth", () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: "é" })).toBe('{"a":"é","b":[{"c":null,"d":1}]}');
});

test("a number that is not finite is refused", () => {
  expect(() => canonicalJson([Number.NaN])).toThrow(TypeError);
});

test("the text reads back as the same value, whatever the order of its keys", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value as JsonValue);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text);
    }),
  );
});
