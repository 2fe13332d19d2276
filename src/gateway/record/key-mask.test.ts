import fc from "fast-check";
import { expect, test } from "vitest";
import { createKeyMask, keyForms, maskKeys } from "./key-mask.ts";

const key = 'sk-a"b/c-0123456789';

/** What comes out of a text that is cut at these places. */
function throughPieces(
  text: string,
  cuts: readonly number[],
  keys: readonly string[],
): { readonly text: string; readonly found: number } {
  const bytes = Buffer.from(text);
  const mask = createKeyMask(keyForms(keys));
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  const pieces = places.slice(1).map((to, index) => mask.push(bytes.subarray(places[index], to)));
  return { text: Buffer.concat([...pieces, mask.end()]).toString(), found: mask.found };
}

test("keys are overwritten wherever a stream is cut, in every form, and nothing else is touched", () => {
  const forms = keyForms([key]);
  const word = fc.oneof(fc.constantFrom(...forms), fc.constantFrom("sk-", 'sk-a"', "ä€", "data: ", "\n\n"));
  fc.assert(
    fc.property(fc.array(word), fc.array(fc.nat(1000), { maxLength: 20 }), (words, cuts) => {
      const whole = words.join("|");
      const { text, found } = throughPieces(whole, cuts, [key]);
      expect(text).toBe(words.map((one) => (forms.includes(one) ? "*".repeat(one.length) : one)).join("|"));
      expect(found).toBe(words.filter((one) => forms.includes(one)).length);
      expect(text).toBe(maskKeys(whole, forms));
    }),
  );
});

test("of a key that another begins with, the longer is overwritten whole", () => {
  const keys = ["shared-key1", "shared-key1-of-two"];
  for (let cut = 0; cut <= 18; cut++) {
    expect(throughPieces("shared-key1-of-two", [cut], keys)).toEqual({ text: "*".repeat(18), found: 1 });
  }
  expect(throughPieces("shared-key1-of", [4], keys).text).toBe("***********-of");
});

test("what cannot be the beginning of a key is passed on at once", () => {
  const mask = createKeyMask(keyForms([key]));
  expect(mask.push(Buffer.from("data: hello s")).toString()).toBe("data: hello ");
  expect(mask.push(Buffer.from("o\n\n")).toString()).toBe("so\n\n");
  expect(mask.end().length).toBe(0);
});

test("words that servers without keys are given are left alone in answers", () => {
  expect(keyForms(["lm-studio", "not-needed", "sk-no-key-required", "password", "changeme"])).toEqual([]);
  expect(keyForms(["not-needed-1", "correct-horse-battery-staple"])).toHaveLength(2);
});

test("texts too short for keys are left alone", () => {
  expect(keyForms(["ollama", "none", ""])).toEqual([]);
  const chunk = Buffer.from("ollama");
  expect(createKeyMask([]).push(chunk)).toBe(chunk);
});
