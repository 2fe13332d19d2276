import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DelimitedParser } from "./delimited-parser.ts";
import { resolveTableLimits } from "./table.ts";

function parsePieces(pieces: readonly string[]): readonly (readonly string[])[] {
  const records: string[][] = [];
  const parser = new DelimitedParser(",", resolveTableLimits(), (record) => records.push(record));
  for (const piece of pieces) parser.write(piece);
  parser.end();
  return records;
}

test("records are those that csv-parse reads, however the text is cut", () => {
  const field = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", " ", "b", ";") }),
    fc
      .string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r\n", "é") })
      .map((text) => `"${text.replaceAll('"', '""')}"`),
  );
  const lines = fc.array(
    fc.tuple(fc.array(field, { minLength: 2, maxLength: 4 }), fc.constantFrom("\n", "\r\n")),
  );
  const text = lines.map((all) => all.map(([fields, end]) => fields.join(",") + end).join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (whole, size) => {
      const pieces = whole.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
      const reference = parse(whole, {
        relax_column_count: true,
        record_delimiter: ["\r\n", "\n"],
        skip_empty_lines: true,
      });
      expect(parsePieces(pieces)).toEqual(reference);
    }),
  );
});

test("lines may end in lone carriage returns, as on an old Macintosh", () => {
  expect(parsePieces(["a,b\r1,2\r", "3,4"])).toEqual([
    ["a", "b"],
    ["1", "2"],
    ["3", "4"],
  ]);
});

test("an endless record is refused before it fills memory", () => {
  const parser = new DelimitedParser(",", resolveTableLimits({ maxRowCharacters: 100 }), () => undefined);
  expect(() => {
    for (let piece = 0; piece < 10; piece++)
      parser.write('"aaaaaaaaaaaaaaaaaaaaaaaaaa\n'.slice(piece === 0 ? 0 : 1));
  }).toThrow(/longer than 100/);
});
