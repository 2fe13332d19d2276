import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeFrame, FrameDecoder, type FrameKind } from "./frames.ts";

const frame = fc.record({
  kind: fc.constantFrom<FrameKind>("R", "D", "E", "W", "K", "X", "A", "V", "O", "F"),
  channel: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  payload: fc.uint8Array({ maxLength: 300 }),
});

describe("frames", () => {
  test("arrive as they were sent, however the bytes are cut", () => {
    fc.assert(
      fc.property(fc.array(frame), fc.array(fc.integer({ min: 1, max: 50 })), (sent, cuts) => {
        const bytes = Buffer.concat(sent.map((one) => encodeFrame(one.kind, one.channel, one.payload)));
        const decoder = new FrameDecoder();
        const seen = [];
        let at = 0;
        for (const cut of cuts) {
          seen.push(...decoder.push(bytes.subarray(at, at + cut)));
          at += cut;
        }
        seen.push(...decoder.push(bytes.subarray(at)));
        expect(seen.map((one) => ({ ...one, payload: new Uint8Array(one.payload) }))).toEqual(sent);
      }),
    );
  });

  test("a length that no frame has is refused", () => {
    expect(() => new FrameDecoder().push(Buffer.from("HTTP/1.1 400"))).toThrow(RangeError);
  });
});
