import { z } from "zod";

/** Anything JSON can hold. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Refuses `NaN`, infinities, `undefined`, dates, class instances. */
export const jsonValueSchema: z.ZodType<JsonValue> = z.json() as z.ZodType<JsonValue>;
