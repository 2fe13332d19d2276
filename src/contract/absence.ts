import { z } from "zod";

/** A value that may be missing, with the reason: never `NaN`, never 0 for unknown. */
export type Maybe<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly reason: string };

/** The value, when it is there. */
export function known<T>(value: T): Maybe<T> {
  return { known: true, value };
}

/** An absence, with its reason in words (`"the model has no price"`). */
export function unknown(reason: string): Maybe<never> {
  return { known: false, reason };
}

/** The schema of a {@link Maybe} around `value`. */
export function maybeSchema<T>(value: z.ZodType<T>): z.ZodType<Maybe<T>> {
  return z.discriminatedUnion("known", [
    z.strictObject({ known: z.literal(true), value }),
    z.strictObject({ known: z.literal(false), reason: z.string().min(1) }),
  ]) as unknown as z.ZodType<Maybe<T>>;
}
