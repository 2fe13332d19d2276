import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findStaves } from "./find-staves.ts";
import type { RasterImage } from "./load-image.ts";

function blank(width: number, height: number): RasterImage {
  return { width, height, data: new Uint8Array(width * height * 4).fill(255) };
}

function drawLine({ width, data }: RasterImage, row: number, left: number, right: number): void {
  for (let column = left; column <= right; column++)
    data.fill(60, (row * width + column) * 4, (row * width + column) * 4 + 3);
}

function drawStaff(image: RasterImage, top: number, gap: number, left: number, right: number): void {
  for (let line = 0; line < 5; line++) drawLine(image, top + line * gap, left, right);
}

function drawLines(image: RasterImage, rows: readonly number[]): void {
  for (const row of rows) drawLine(image, row, 10, 300);
}

describe("staves of music", () => {
  test("are found where they were drawn, in any number, size and place", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 4, max: 12 }),
        fc.integer({ min: 0, max: 60 }),
        (count, gap, left) => {
          const image = blank(400, 600);
          for (let index = 0; index < count; index++)
            drawStaff(image, 20 + index * 110, gap, left, left + 300);
          const staves = findStaves(image);
          expect(staves).toEqual(
            Array.from({ length: count }, (_, index) => {
              const top = 20 + index * 110;
              return { top, bottom: top + 4 * gap, left, right: left + 300 };
            }),
          );
        },
      ),
    );
  });

  test.each<[string, (image: RasterImage) => void]>([
    ["four lines", (image) => drawLines(image, [20, 28, 36, 44])],
    ["uneven lines", (image) => drawLines(image, [20, 28, 36, 50, 58])],
    ["short lines", (image) => drawStaff(image, 20, 8, 10, 40)],
    ["a black image", (image) => image.data.fill(0)],
  ])("are not seen in %s", (_case, draw) => {
    const image = blank(400, 200);
    draw(image);
    expect(findStaves(image)).toEqual([]);
  });
});
