import { z } from "zod";

/** What a person's hands do at a screen, as a page in a browser sends it. Places in pixels of the screen. */
export type ScreenInput =
  | { readonly kind: "move"; readonly x: number; readonly y: number }
  | {
      readonly kind: "button";
      readonly button: "left" | "middle" | "right";
      readonly action: "down" | "up";
    }
  /** Wheel notches; positive is right and down. */
  | { readonly kind: "scroll"; readonly x: number; readonly y: number }
  | { readonly kind: "type"; readonly text: string }
  /** Keys pressed together, such as `ctrl+s` or `Return`. */
  | { readonly kind: "key"; readonly chord: string };

const notches = z.int().min(-50).max(50);

export const screenInputSchema: z.ZodType<ScreenInput> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("move"), x: z.int().nonnegative(), y: z.int().nonnegative() }),
  z.strictObject({
    kind: z.literal("button"),
    button: z.enum(["left", "middle", "right"]),
    action: z.enum(["down", "up"]),
  }),
  z.strictObject({ kind: z.literal("scroll"), x: notches, y: notches }),
  z.strictObject({ kind: z.literal("type"), text: z.string().min(1).max(100_000) }),
  z.strictObject({ kind: z.literal("key"), chord: z.string().min(1).max(100) }),
]);
