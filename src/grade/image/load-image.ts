import { AleError } from "../../contract/ale-error.ts";
import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";

/** An image in sRGB, four bytes per pixel (red, green, blue, alpha not premultiplied), row by row. */
export interface RasterImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export interface ImageLimits {
  /** Largest width × height, default 25,000,000. */
  readonly maxPixels?: number;
}

const formats: ReadonlySet<string> = new Set(["png", "jpeg", "webp", "tiff", "gif", "avif", "heif"]);

/**
 * Decodes a PNG, JPEG, WebP, TIFF, GIF or AVIF image (the first frame or page), turned as its orientation tag says.
 * Bad for other formats (SVG and PDF could refer to other files), damage, and more pixels than allowed.
 *
 * Throws an `AleError` coded `missing-library` when the optional dependency `sharp` is not installed.
 */
export async function loadImage(
  bytes: Uint8Array,
  name: string,
  limits: ImageLimits = {},
): Promise<Read<RasterImage>> {
  const { default: sharp } = await importSharp();
  try {
    const options = { limitInputPixels: limits.maxPixels ?? 25_000_000, failOn: "error" } as const;
    const { format } = await sharp(bytes, options).metadata();
    if (!formats.has(format)) return bad(`${name} is an image of the format ${format}, which is not taken.`);
    const { data, info } = await sharp(bytes, options)
      .autoOrient()
      .toColourspace("srgb")
      .ensureAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    return ok({ width: info.width, height: info.height, data });
  } catch (error) {
    return bad(`${name} cannot be read as an image: ${quote((error as Error).message, 120)}.`);
  }
}

async function importSharp(): Promise<typeof import("sharp")> {
  try {
    return await import("sharp");
  } catch (cause) {
    throw new AleError({
      code: "missing-library",
      message: "Images cannot be graded: the optional dependency sharp is not installed.",
      remedy: "Run `npm install sharp`.",
      cause,
    });
  }
}
