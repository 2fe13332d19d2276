import { describe, expect, test } from "vitest";
import { hostClock } from "../local/test-support/host-clock.ts";
import { looksAlike, untilQuiet } from "./quiet-frames.ts";
import { cutFrame, frameFromPicture, frameFromPixmap, type RgbFrame } from "./rgb-frame.ts";
import { screenshotOf } from "./screenshot-of.ts";

/** Each pixel tells where it is. */
function frame(width: number, height: number): RgbFrame {
  const pixels = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) pixels.set([at % width, Math.floor(at / width), 7], at * 3);
  return { width, height, pixels };
}

function changed(of: RgbFrame, places: readonly (readonly [number, number])[]): RgbFrame {
  const pixels = of.pixels.slice();
  for (const [x, y] of places)
    pixels.set([pixels[(y * of.width + x) * 3] === 255 ? 0 : 255], (y * of.width + x) * 3);
  return { ...of, pixels };
}

describe("frames of a screen", () => {
  test("a pixmap is read, and one that is cut short is refused", () => {
    const { pixels } = frame(5, 3);
    const bytes = Buffer.concat([Buffer.from("P6\n5 3\n255\n"), pixels]);
    expect(frameFromPixmap(bytes)).toEqual({ width: 5, height: 3, pixels: Buffer.from(pixels) });
    expect(() => frameFromPixmap(bytes.subarray(0, -1))).toThrow(RangeError);
    expect(() => frameFromPixmap(Buffer.from("GIF89a"))).toThrow(RangeError);
  });

  test("a region is cut where it is, and one off the screen is refused", () => {
    const part = cutFrame(frame(10, 10), { x: 3, y: 4, width: 2, height: 1 });
    expect([...part.pixels]).toEqual([3, 4, 7, 4, 4, 7]);
    expect(() => cutFrame(frame(10, 10), { x: 9, y: 0, width: 2, height: 1 })).toThrow("not on the screen");
  });

  test("a PNG of a region holds exactly its pixels", async () => {
    const whole = frame(20, 10);
    const shot = await screenshotOf(whole, { region: { x: 5, y: 5, width: 10, height: 5 } });
    expect([shot.width, shot.height, shot.mediaType]).toEqual([10, 5, "image/png"]);
    const back = await frameFromPicture(shot.bytes);
    expect(Buffer.compare(back.pixels, cutFrame(whole, { x: 5, y: 5, width: 10, height: 5 }).pixels)).toBe(0);
  });

  test("a screenshot is scaled down into its fit, never up, and its revision is that of the pixels", async () => {
    const whole = frame(40, 20);
    const small = await screenshotOf(whole, { fit: { width: 10, height: 10 }, format: "jpeg" });
    expect([small.width, small.height, small.mediaType]).toEqual([10, 5, "image/jpeg"]);
    const large = await screenshotOf(whole, { fit: { width: 100, height: 100 } });
    expect([large.width, large.height]).toEqual([40, 20]);
    expect(large.revision).toBe(small.revision);
    expect((await screenshotOf(changed(whole, [[1, 1]]))).revision).not.toBe(small.revision);
  });

  test("a blinking cursor is quiet, two places far apart are not", async () => {
    const calm = frame(200, 100);
    const cursor = changed(calm, [
      [50, 50],
      [50, 65],
    ]);
    expect(looksAlike(calm, cursor)).toBe(true);
    const busy = changed(calm, [
      [5, 5],
      [190, 5],
    ]);
    expect(looksAlike(calm, busy)).toBe(false);
    let turn = 0;
    const alternating = (other: RgbFrame) => async (): Promise<RgbFrame> => (turn++ % 2 === 0 ? calm : other);
    const options = { clock: hostClock, quietMs: 30, limitMs: 200 };
    expect(await untilQuiet({ ...options, limitMs: 60_000, frame: alternating(cursor) })).toBe(true);
    expect(await untilQuiet({ ...options, frame: alternating(busy) })).toBe(false);
  });
});
