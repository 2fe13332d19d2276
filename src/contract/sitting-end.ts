import { z } from "zod";
import { type Claim, claimSchema } from "./claim.ts";

/** How a person ended their work. */
export type SittingEnd =
  | { readonly kind: "submitted"; readonly claim: Claim }
  | { readonly kind: "gave-up"; readonly message: string };

export const sittingEndSchema: z.ZodType<SittingEnd> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("submitted"), claim: claimSchema }),
  z.strictObject({ kind: z.literal("gave-up"), message: z.string() }),
]);
