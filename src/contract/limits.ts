import { z } from "zod";

/** What a contestant may use in one attempt. An absent field means no limit of that kind. */
export interface Limits {
  /** From the harness's launch to its end. */
  readonly wall_minutes?: number;
  /** Wall time less the time spent waiting on rate limits. */
  readonly working_minutes?: number;
  /** Input and output tokens together, cached input included. */
  readonly tokens?: number;
  readonly cost_usd?: number;
  /** Model calls. */
  readonly calls?: number;
}

export const limitsSchema: z.ZodType<Limits> = z.strictObject({
  wall_minutes: z.number().positive().exactOptional().describe("From launch to end, in minutes."),
  working_minutes: z
    .number()
    .positive()
    .exactOptional()
    .describe("Wall time less the waits on rate limits, in minutes."),
  tokens: z.int().positive().exactOptional().describe("Input and output tokens together, cached included."),
  cost_usd: z.number().positive().exactOptional().describe("US dollars."),
  calls: z.int().positive().exactOptional().describe("Model calls."),
});

/** The limit that binds first wins: field by field the smaller of both. */
export function tighterLimits(first: Limits, second: Limits): Limits {
  const result: { -readonly [K in keyof Limits]: Limits[K] } = { ...first };
  for (const key of Object.keys(second) as (keyof Limits)[]) {
    const value = second[key];
    if (value !== undefined) result[key] = Math.min(value, first[key] ?? value);
  }
  return result;
}
