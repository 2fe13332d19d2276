import fc from "fast-check";
import sharp from "sharp";
import { ssim } from "ssim.js";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../contract/random.ts";
import { fromReference } from "../rubric/from-reference.ts";
import { loadImage, type RasterImage } from "./load-image.ts";
import { paletteSimilarity } from "./palette-similarity.ts";
import { peakSignalToNoise } from "./peak-signal-to-noise.ts";
import { pixelShare } from "./pixel-share.ts";
import { sameSize } from "./same-size.ts";
import { meanSsim, structuralSimilarity } from "./structural-similarity.ts";

/** A smooth picture with `noise` added, opaque. */
function picture(width: number, height: number, noise: number, seed = 1): RasterImage {
  const random = createRandom(seed);
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    for (let channel = 0; channel < 3; channel++) {
      const value =
        128 + 90 * Math.sin((x + channel * 5) / 7) * Math.cos(y / (5 + channel)) + random.normal(0, noise);
      data[pixel * 4 + channel] = Math.min(255, Math.max(0, Math.round(value)));
    }
    data[pixel * 4 + 3] = 255;
  }
  return { width, height, data };
}

function grey({ width, height, data }: RasterImage): RasterImage {
  return {
    width,
    height,
    data: data.map((value, at) => (at % 4 === 3 ? value : (data[at - (at % 4)] ?? 0))),
  };
}

const plain = picture(48, 40, 0);
const png = (image: RasterImage) =>
  sharp(image.data, { raw: { width: image.width, height: image.height, channels: 4 } })
    .png()
    .toBuffer();

describe("loading an image", () => {
  it("gives the pixels that were saved", async () => {
    expect(fromReference(await loadImage(await png(plain), "x"))).toEqual({
      ...plain,
      data: Buffer.from(plain.data),
    });
  });

  it.each([
    ["text", Buffer.from("not an image")],
    ["nothing", Buffer.alloc(0)],
    [
      "an SVG, which could refer to files",
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
  ])("refuses %s", async (_case, bytes) => {
    expect((await loadImage(bytes, "x")).kind).toBe("bad");
  });

  it("refuses too many pixels, and a file cut off", async () => {
    const bytes = await png(picture(60, 60, 40));
    expect((await loadImage(bytes, "x", { maxPixels: 3599 })).kind).toBe("bad");
    expect((await loadImage(bytes.subarray(0, bytes.length / 2), "x")).kind).toBe("bad");
  });
});

describe("structural similarity", () => {
  it.each([2, 10, 40])("agrees with ssim.js at a noise of %i", (noise) => {
    // Grey, since the two round the weights of colours differently.
    const base = grey(plain);
    const noisy = grey(picture(48, 40, noise));
    const asData = ({ data, width, height }: RasterImage) => ({
      data: new Uint8ClampedArray(data),
      width,
      height,
    });
    const options = { ssim: "original", downsample: false, rgb2grayVersion: "original" } as const;
    const { mssim } = ssim(asData(base) as never, asData(noisy) as never, options);
    expect(meanSsim(base, noisy)).toBeCloseTo(mssim, 4);
  });

  it("is 1 for itself, symmetric, and falls as noise grows", () => {
    const values = [0, 2, 8, 20, 60].map((noise) => meanSsim(picture(48, 40, noise), plain));
    expect(values[0]).toBe(1);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(meanSsim(plain, picture(48, 40, 20))).toBeCloseTo(meanSsim(picture(48, 40, 20), plain), 12);
  });

  it("works on images smaller than its window", () => {
    expect(structuralSimilarity(picture(1, 1, 0), picture(1, 1, 0), { fullAt: 1, zeroAt: 0 }).score).toBe(1);
    expect(meanSsim(picture(4, 3, 0), picture(4, 3, 60))).toBeLessThan(1);
  });

  it("gives another size 0", () => {
    expect(structuralSimilarity(picture(9, 8, 0), picture(8, 9, 0), { fullAt: 0.1, zeroAt: 0 }).score).toBe(
      0,
    );
    expect(sameSize(plain, plain).score).toBe(1);
  });
});

describe("signal-to-noise, pixel share and palette", () => {
  const scale = { fullAt: 40, zeroAt: 20 };

  it("measure what they say", () => {
    const off = { ...plain, data: plain.data.map((value, at) => (at % 4 === 3 ? value : value ^ 1)) };
    // Three channels off by 1 of four: error 0.75, so 10·log10(65025 / 0.75) dB.
    expect(peakSignalToNoise(off, plain, scale).evidence).toEqual({
      decibels: 10 * Math.log10(65025 / 0.75),
    });
    expect(pixelShare(off, plain).score).toBe(0);
    expect(pixelShare(off, plain, { tolerance: 1 }).score).toBe(1);
  });

  it("are 1 for itself, in [0, 1], and symmetric", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 80 }), fc.integer(), (noise, seed) => {
        const other = picture(16, 12, noise, seed);
        const base = picture(16, 12, 0);
        for (const grade of [
          (a: RasterImage, b: RasterImage) => peakSignalToNoise(a, b, scale).score,
          (a: RasterImage, b: RasterImage) => pixelShare(a, b, { tolerance: 8 }).score,
          (a: RasterImage, b: RasterImage) => paletteSimilarity(a, b).score,
        ]) {
          expect(grade(base, base)).toBe(1);
          expect(grade(other, base)).toBeCloseTo(grade(base, other), 12);
          expect(grade(other, base)).toBeGreaterThanOrEqual(0);
          expect(grade(other, base)).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 25 },
    );
  });

  it("do not mind the colour of what is transparent, nor the palette where colours stand or how many", () => {
    const clear = (red: number) => ({ width: 1, height: 1, data: Uint8Array.of(red, 0, 0, 0) });
    expect(pixelShare(clear(1), clear(200)).score).toBe(1);
    expect(peakSignalToNoise(clear(1), clear(200), scale).score).toBe(1);
    const two = { width: 2, height: 1, data: Uint8Array.of(255, 0, 0, 255, 0, 0, 255, 255) };
    const four = {
      width: 2,
      height: 2,
      data: Uint8Array.of(0, 0, 255, 255, 0, 0, 255, 255, 255, 0, 0, 255, 255, 0, 0, 255),
    };
    expect(paletteSimilarity(two, four).score).toBe(1);
  });
});
