import type * as Sharp from "sharp";
import { AleError } from "../../contract/ale-error.ts";
import type { Screenshot, ScreenshotOptions } from "../../sandbox/screen.ts";
import { fittedSize } from "./fitted-size.ts";
import type { RgbPicture } from "./rgb-picture.ts";

export type EncodedPicture = Omit<Screenshot, "revision">;

const defaultQuality = 80;

/** Scales and encodes as a screenshot's options ask; the region has been cut out before. */
export async function encodePicture(
  picture: RgbPicture,
  options: Omit<ScreenshotOptions, "region">,
): Promise<EncodedPicture> {
  const sharp = await loadSharp();
  const { width, height } = picture;
  const size = fittedSize(picture, options.fit);
  const raw = sharp(picture.pixels, { raw: { width, height, channels: 3 } });
  const scaled =
    size.width === width && size.height === height
      ? raw
      : raw.resize(size.width, size.height, { fit: "fill", kernel: "lanczos3" });
  const isJpeg = options.format === "jpeg";
  const encoded = isJpeg
    ? scaled.jpeg({ quality: options.quality ?? defaultQuality })
    : // Flat areas and text: a stronger setting takes thrice the time for a few percent.
      scaled.png({ compressionLevel: 3, adaptiveFiltering: false });
  return { bytes: await encoded.toBuffer(), mediaType: isJpeg ? "image/jpeg" : "image/png", ...size };
}

async function loadSharp(): Promise<typeof Sharp.default> {
  try {
    return (await import("sharp")).default;
  } catch (cause) {
    throw new AleError({
      code: "screen-sharp",
      message: "Screenshots are encoded with the package sharp, which is not installed.",
      remedy: "Install it beside ale: npm install sharp",
      cause,
    });
  }
}
