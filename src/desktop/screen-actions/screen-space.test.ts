import fc from "fast-check";
import { expect, test } from "vitest";
import { screenSpace } from "./screen-space.ts";

const side = fc.integer({ min: 200, max: 4096 });
const size = fc.record({ width: side, height: side });

test("every place the model may name is on the screen, and names itself again within one of its units", () => {
  const coordinates = fc.constantFrom("pixels" as const, "thousandths" as const);
  fc.assert(
    fc.property(size, size, coordinates, fc.nat(), fc.nat(), (screen, fit, kind, a, b) => {
      const space = screenSpace(screen, { coordinates: kind, fit });
      const named = { x: a % (space.size.width + 1), y: b % (space.size.height + 1) };
      const { x, y } = space.toScreen(named);
      expect(x >= 0 && y >= 0 && x < screen.width && y < screen.height).toBe(true);
      const back = space.fromScreen({ x, y });
      // A thousandth of a small screen is less than a pixel.
      const unit = Math.max(
        1,
        Math.ceil(space.size.width / screen.width),
        Math.ceil(space.size.height / screen.height),
      );
      expect(Math.abs(back.x - named.x)).toBeLessThanOrEqual(unit);
      expect(Math.abs(back.y - named.y)).toBeLessThanOrEqual(unit);
    }),
  );
});

test("without scaling, pixels are the screen's own, and one off the screen stays off it", () => {
  const space = screenSpace({ width: 1280, height: 800 }, { coordinates: "pixels" });
  expect(space.toScreen({ x: 17, y: 799 })).toEqual({ x: 17, y: 799 });
  expect(space.toScreen({ x: 5000, y: 0 }).x).toBeGreaterThanOrEqual(1280);
});
