import { z } from "zod";
import type { ScreenThumbnail } from "./screen-action-line.ts";

/** What a screen showed when it was last seen: a picture below the attempt's folder. */
export interface LastScreen extends ScreenThumbnail {
  /** When it was seen, in milliseconds since the Unix epoch. */
  readonly at: number;
}

export const lastScreenSchema: z.ZodType<LastScreen> = z.strictObject({
  path: z.string().min(1),
  width: z.int().positive(),
  height: z.int().positive(),
  at: z.number().nonnegative(),
});
