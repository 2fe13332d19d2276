import { createRandom } from "ale/contract/random";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compose } from "./generate/compose.ts";
import { perform, sampleRate } from "./generate/perform.ts";
import { hear } from "./solve/hear.ts";
import { writeMusicXml } from "./solve/write-musicxml.ts";
import { readWav, writeWav } from "./wav.ts";

const params = {
  title: "Evening",
  composer: "Ines Novak",
  tempo: 104,
  fifths: -3,
  bars: 4,
  upper: "Violin",
  lower: "Bassoon",
};

test("what is performed from any seed is heard note for note, loudness included", () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.integer({ min: -4, max: 4 }),
      fc.integer({ min: 72, max: 120 }),
      (seed, fifths, tempo) => {
        const random = createRandom(seed);
        for (const part of compose(random, { ...params, fifths, tempo })) {
          const samples = perform(random, part, tempo, params.bars);
          expect(hear(samples, sampleRate, tempo, params.bars, part.instrument)).toEqual(part);
        }
      },
    ),
    { numRuns: 3 },
  );
});

test("bars are full in the written score, whatever the rests", () => {
  const xml = writeMusicXml(params, compose(createRandom(3), params));
  const bars = xml.split("<measure ").slice(1);
  expect(bars).toHaveLength(2 * params.bars);
  for (const bar of bars) {
    const lengths = [...bar.matchAll(/<duration>(\d+)</g)].map(([, length]) => Number(length));
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(8);
  }
});

test("a recording is read back as it was written", () => {
  const left = Float64Array.from({ length: 100 }, (_, index) => Math.sin(index / 7));
  const right = left.map((value) => -value / 3);
  const read = readWav(Buffer.from(writeWav(left, right, 22_050)));
  expect(read.sampleRate).toBe(22_050);
  for (const [index, value] of left.entries()) expect(read.left[index]).toBeCloseTo(value, 4);
  for (const [index, value] of right.entries()) expect(read.right[index]).toBeCloseTo(value, 4);
});
