import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OutputBuffer } from "./output-buffer.ts";

const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 });

function filled(limit: number, parts: readonly Uint8Array[]): OutputBuffer {
  const buffer = new OutputBuffer(limit);
  for (const part of parts) buffer.write(Buffer.from(part));
  return buffer;
}

describe("the output buffer", () => {
  test("counts every byte", () => {
    fc.assert(
      fc.property(fc.nat(100), chunks, (limit, parts) => {
        expect(filled(limit, parts).total).toBe(Buffer.concat(parts).length);
      }),
    );
  });

  test("keeps all of what fits", () => {
    fc.assert(
      fc.property(chunks, (parts) => {
        const all = Buffer.concat(parts);
        expect(Buffer.from(filled(all.length, parts).bytes())).toEqual(all);
      }),
    );
  });

  test("keeps the first and the last bytes of what does not fit, however it is cut into chunks", () => {
    fc.assert(
      fc.property(fc.nat(60), chunks, (limit, parts) => {
        const all = Buffer.concat(parts);
        fc.pre(all.length > limit);
        const head = all.subarray(0, Math.ceil(limit / 2));
        const tail = all.subarray(all.length - Math.floor(limit / 2));
        const mark = Buffer.from(`\n[… ${all.length - limit} bytes left out …]\n`);
        expect(Buffer.from(filled(limit, parts).bytes())).toEqual(Buffer.concat([head, mark, tail]));
      }),
    );
  });
});
