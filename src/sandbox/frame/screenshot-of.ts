import { createHash } from "node:crypto";
import type { Screenshot, ScreenshotOptions } from "../screen.ts";
import { encodeFrame } from "./encode-frame.ts";
import { cutFrame, type RgbFrame } from "./rgb-frame.ts";

/** Cuts, scales and encodes a frame as asked. */
export async function screenshotOf(frame: RgbFrame, options: ScreenshotOptions = {}): Promise<Screenshot> {
  const part = options.region === undefined ? frame : cutFrame(frame, options.region);
  const revision = createHash("sha256").update(part.pixels).digest("hex").slice(0, 32);
  return { ...(await encodeFrame(part, options)), revision };
}
