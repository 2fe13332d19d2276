import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeList, encodeFrame, encodeList, FrameReader } from "./frame.ts";

describe("frames", () => {
  test("come out as they went in, however they are cut", () => {
    const frame = fc.record({
      type: fc.constantFrom("X", "F", "O", "Z"),
      channel: fc.nat(0xffffffff),
      payload: fc.uint8Array({ maxLength: 40 }),
    });
    fc.assert(
      fc.property(fc.array(frame), fc.array(fc.integer({ min: 1, max: 30 })), (frames, cuts) => {
        const bytes = Buffer.concat(frames.map((each) => encodeFrame(each.type, each.channel, each.payload)));
        const reader = new FrameReader();
        const seen = [];
        for (let at = 0, cut = 0; at < bytes.length; cut++) {
          const length = cuts[cut % Math.max(cuts.length, 1)] ?? bytes.length;
          seen.push(...reader.push(bytes.subarray(at, at + length)));
          at += length;
        }
        expect(seen.map((each) => ({ ...each, payload: new Uint8Array(each.payload) }))).toEqual(frames);
      }),
    );
  });

  test("fields of a list come out as they went in, empty ones and zero bytes too", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (fields) => {
        expect(decodeList(encodeList(fields)).map((field) => new Uint8Array(field))).toEqual(fields);
      }),
    );
  });
});
