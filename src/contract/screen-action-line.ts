import { z } from "zod";
import { type JsonValue, jsonValueSchema } from "./json-value.ts";

/** A file beside the line's own, and what it is. */
export interface ScreenThumbnail {
  /** Relative to the attempt's folder: `screenshots/<sha256>.jpg`. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** One line of `actions.jsonl`: something done on the screen during an attempt. */
export interface ScreenActionLine {
  /** 1-based, in the order taken. */
  readonly number: number;
  /** When it began, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly wallMs: number;
  /** What was done: its `kind`, and what belongs to that kind. */
  readonly action: { readonly kind: string } & { readonly [key: string]: JsonValue };
  /** Why it could not be done; absent when it was. */
  readonly failure?: string;
  /** Programs with windows when it was done, each once. */
  readonly programs: readonly string[];
  /** The program whose window had the focus. */
  readonly focus?: string;
  readonly before?: ScreenThumbnail;
  readonly after?: ScreenThumbnail;
}

const thumbnailSchema: z.ZodType<ScreenThumbnail> = z.strictObject({
  path: z.string().min(1),
  width: z.int().positive(),
  height: z.int().positive(),
});

const actionSchema = z
  .record(z.string(), jsonValueSchema)
  .refine((action) => typeof action["kind"] === "string", "needs a kind") as unknown as z.ZodType<
  ScreenActionLine["action"]
>;

export const screenActionLineSchema: z.ZodType<ScreenActionLine> = z.strictObject({
  number: z.int().positive(),
  at: z.number().nonnegative(),
  wallMs: z.number().nonnegative(),
  action: actionSchema,
  failure: z.string().exactOptional(),
  programs: z.array(z.string()),
  focus: z.string().exactOptional(),
  before: thumbnailSchema.exactOptional(),
  after: thumbnailSchema.exactOptional(),
});
