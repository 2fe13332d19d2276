import { z } from "zod";
import { type Maybe, maybeSchema } from "./absence.ts";

/** Model use of one attempt. `input` includes cached and cache-write tokens; `output` includes reasoning. */
export interface Usage {
  readonly calls: number;
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
}

/** No model was called: a true zero, not a missing value. */
export const noUsage: Usage = { calls: 0, input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0 };

/** Nothing yet and something is something. */
export function addUsage(first: Usage | undefined, second: Usage): Usage {
  if (first === undefined) return second;
  return {
    calls: first.calls + second.calls,
    input: first.input + second.input,
    cached: first.cached + second.cached,
    cacheWrite: first.cacheWrite + second.cacheWrite,
    output: first.output + second.output,
    reasoning: first.reasoning + second.reasoning,
  };
}

const count = z.int().nonnegative();

export const usageSchema: z.ZodType<Usage> = z.strictObject({
  calls: count,
  input: count,
  cached: count,
  cacheWrite: count,
  output: count,
  reasoning: count,
});

export const maybeUsageSchema: z.ZodType<Maybe<Usage>> = maybeSchema(usageSchema);
