import fc from "fast-check";
import { expect, test } from "vitest";
import { fillInstruction, findPlaceholders } from "./instruction-template.ts";

test("every value stands in the text as it is, whatever it contains", () => {
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom("{{other}}", "$&", "$1", "\\n", "{{name}}"),
    fc.integer(),
    fc.boolean(),
  );
  fc.assert(
    fc.property(value, value, (name, other) => {
      const filled = fillInstruction("a {{name}} b {{ other }} c {{name}}", { name, other });
      expect(filled).toBe(`a ${name} b ${other} c ${name}`);
    }),
  );
});

test("what has no value stays, and so do other braces", () => {
  const text = "{{missing}} {{ two words }} {x} {{{{";
  expect(fillInstruction(text, { two: 1 })).toBe(text);
  expect(fillInstruction("{{toString}}", {})).toBe("{{toString}}");
});

test("placeholders are found with line and column", () => {
  expect(findPlaceholders("one {{a}}\n\n  {{ b_2 }}{{a}}")).toEqual([
    { name: "a", line: 1, column: 5 },
    { name: "b_2", line: 3, column: 3 },
    { name: "a", line: 3, column: 12 },
  ]);
});
