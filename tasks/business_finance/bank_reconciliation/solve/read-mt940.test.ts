import fc from "fast-check";
import { expect, test } from "vitest";
import { writeMt940 } from "../formats/write-mt940.ts";
import type { BankItem } from "../items.ts";
import { readMt940 } from "./read-mt940.ts";

const item: fc.Arbitrary<BankItem> = fc.record({
  account: fc.constant("1010" as const),
  reference: fc.stringMatching(/^N\d{10}$/),
  date: fc.integer({ min: 1, max: 28 }).map((day) => `2026-02-${String(day).padStart(2, "0")}`),
  cents: fc.integer({ min: -9_999_999, max: 9_999_999 }).filter((cents) => cents !== 0),
  code: fc.constantFrom("TRF", "CHK", "CHG", "INT", "RTI"),
  reversal: fc.boolean(),
  customerReference: fc.constantFrom("", "004511"),
  text: fc.stringMatching(/^SVWZ\+[A-Za-z0-9 -]{1,120}[A-Za-z0-9]$/),
});

test("statement lines come back as they were written, over pages, reversals and broken lines", () => {
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 30 }),
      fc.integer({ min: -99_999, max: 99_999 }),
      (items, opening) => {
        const text = writeMt940(
          { iban: "DE1", number: 7, opening, openingDate: "2026-02-01", closingDate: "2026-02-28" },
          items,
        );
        expect(readMt940(text)).toEqual({
          items,
          closing: items.reduce((sum, { cents }) => sum + cents, opening),
        });
      },
    ),
  );
});
