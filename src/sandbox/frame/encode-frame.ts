import type { Screenshot, ScreenshotOptions } from "../screen.ts";
import { fittedSize } from "./fitted-size.ts";
import { loadSharp } from "./load-sharp.ts";
import type { RgbFrame } from "./rgb-frame.ts";

export type EncodedFrame = Omit<Screenshot, "revision">;

const defaultQuality = 80;

/** Scales and encodes as a screenshot's options ask; the region has been cut out before. */
export async function encodeFrame(
  frame: RgbFrame,
  options: Omit<ScreenshotOptions, "region">,
): Promise<EncodedFrame> {
  const sharp = await loadSharp();
  const { width, height } = frame;
  const size = fittedSize(frame, options.fit);
  const raw = sharp(frame.pixels, { raw: { width, height, channels: 3 } });
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
