import { z } from "zod";

/** What a contestant says of its own work at the end. Compared with the verdict, never scored. */
export interface Claim {
  readonly kind: "done" | "partial" | "could-not";
  /** The final message, whole. */
  readonly message: string;
}

export const claimSchema: z.ZodType<Claim> = z.strictObject({
  kind: z.enum(["done", "partial", "could-not"]),
  message: z.string(),
});
