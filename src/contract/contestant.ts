import { z } from "zod";

/** Reasoning effort on one scale for every provider. */
export type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

export const effortSchema: z.ZodType<Effort> = z.enum([
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
]);

/** A harness's own option, e.g. `argv` of the `command` baseline. */
export type SettingValue = string | number | boolean | readonly string[];

export const settingsSchema: z.ZodType<Readonly<Record<string, SettingValue>>> = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

/** Harness + model + reasoning effort + settings: a row on a board. */
export interface Contestant {
  /** Unique in an exam: the given name, or `harness[:model[:effort]]`. */
  readonly name: string;
  readonly harness: string;
  readonly model?: string;
  readonly effort?: Effort;
  readonly settings: Readonly<Record<string, SettingValue>>;
}

export const contestantSchema: z.ZodType<Contestant> = z.strictObject({
  name: z.string().min(1),
  harness: z.string().min(1),
  model: z.string().min(1).exactOptional(),
  effort: effortSchema.exactOptional(),
  settings: settingsSchema,
});
