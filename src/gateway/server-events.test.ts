import fc from "fast-check";
import { expect, test } from "vitest";
import { readServerEvents } from "./server-events.ts";

function read(chunks: readonly Uint8Array[]): readonly (readonly [string, string])[] {
  const events: (readonly [string, string])[] = [];
  const reader = readServerEvents((data, raw) => events.push([data, raw]));
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return events;
}

test("events are the same however the bytes are cut, and nothing is lost of them", () => {
  const ends = fc.constantFrom("\n", "\r\n");
  const lines = fc.array(fc.stringMatching(/^[^\r\n]{1,12}$/), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(lines, ends), { maxLength: 6 }), fc.array(fc.nat(200)), (parts, cuts) => {
      const texts = parts.map(
        ([data, end]) => `${data.map((line) => `data: ${line}`).join(end)}${end}${end}`,
      );
      const bytes = Buffer.from(texts.join(""));
      const at = [...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
      const events = read(at.map((end, index) => bytes.subarray(at[index - 1] ?? 0, end)));
      expect(events.map(([data]) => data)).toEqual(parts.map(([data]) => data.join("\n")));
      expect(events.map(([, raw]) => raw).join("")).toBe(texts.join(""));
    }),
  );
});

test("a stream that ends without a blank line still gives its last event", () => {
  expect(read([Buffer.from("event: x\ndata: 1\n\n: comment\n\ndata: 2")])).toEqual([
    ["1", "event: x\ndata: 1\n\n"],
    ["", ": comment\n\n"],
    ["2", "data: 2"],
  ]);
});

test("an event above all measure is refused before it is all in memory", () => {
  const reader = readServerEvents(() => undefined, 1000);
  reader.push(Buffer.from(`data: ${"x".repeat(900)}\n\n`));
  reader.push(Buffer.from("x".repeat(900)));
  expect(() => reader.push(Buffer.from("x".repeat(101)))).toThrow(RangeError);
});
