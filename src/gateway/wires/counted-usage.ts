import type { Usage } from "../../contract/usage.ts";

/** The numbers of one call as a provider tells them, by our meaning; `undefined` where it does not tell one. */
export type ToldUsage = { readonly [Count in Exclude<keyof Usage, "calls">]: number | undefined };

/**
 * The usage of one call: a count that is not told is 0. `undefined` when neither input nor output is told, or when a number
 * is none that can be counted to, such as a negative one: then nothing is known of it.
 */
export function countedUsage(told: ToldUsage): Usage | undefined {
  if (told.input === undefined && told.output === undefined) return undefined;
  const usage: Usage = {
    calls: 1,
    input: told.input ?? 0,
    cached: told.cached ?? 0,
    cacheWrite: told.cacheWrite ?? 0,
    output: told.output ?? 0,
    reasoning: told.reasoning ?? 0,
  };
  return Object.values(usage).every((count) => Number.isSafeInteger(count) && count >= 0) ? usage : undefined;
}
