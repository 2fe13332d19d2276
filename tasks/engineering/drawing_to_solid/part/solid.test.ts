import { createRandom } from "ale/contract/random";
import { describe, expect, test } from "vitest";
import { draftPart } from "../generate/draft-part.ts";
import { volumeOf } from "./dimensions.ts";
import { fromLetters, toLetters } from "./letters.ts";
import { type Point, solidOf } from "./solid.ts";

const parts = [1, 4].map((seed) => draftPart(0.9 + seed / 10, createRandom(seed)));

describe("the part", () => {
  test.each(parts)("its exact volume is that of its field, counted out by random points", (part) => {
    const { field } = solidOf(part);
    const high = [part.plate_length, part.plate_width, part.plate_thickness + part.wall_height] as const;
    const random = createRandom("points");
    const count = 100_000;
    let inside = 0;
    for (let index = 0; index < count; index++) {
      if (field(high.map((side) => side * random.next()) as unknown as Point) < 0) inside++;
    }
    const share = inside / count;
    // Four standard deviations of the count.
    const spread = 4 * Math.sqrt((share * (1 - share)) / count);
    const expected = volumeOf(part) / (high[0] * high[1] * high[2]);
    expect(Math.abs(share - expected)).toBeLessThan(spread);
  });

  test.each(parts)("its field never says more than the way to any point beyond the surface", (part) => {
    const { field } = solidOf(part);
    const random = createRandom("pairs");
    for (let index = 0; index < 5000; index++) {
      const [a, b] = [0, 1].map(() =>
        [160, 130, 90].map((side) => side * (random.next() * 1.2 - 0.1)),
      ) as unknown as [Point, Point];
      const [one, other] = [field(a), field(b)];
      const apart = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      expect(Math.abs(one - other)).toBeLessThanOrEqual(apart + 1e-9);
    }
  });

  test.each(parts)("the letters of the drawing mean the part and nothing else", (part) => {
    const read = fromLetters(toLetters(part));
    for (const [name, value] of Object.entries(part))
      expect(read[name as keyof typeof part]).toBeCloseTo(value, 6);
  });
});
