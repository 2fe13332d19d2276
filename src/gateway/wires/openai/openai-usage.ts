import { numberAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import type { Usage } from "../../../contract/usage.ts";
import { countedUsage } from "../counted-usage.ts";

/** Numbers of Chat (`prompt`, `completion`) or Responses (`input`, `output`); both count cached and reasoning in. */
export function openaiUsage(
  usage: JsonValue,
  names: { readonly input: string; readonly output: string },
): Usage | undefined {
  const { input, output } = names;
  return countedUsage({
    input: numberAt(usage, `${input}_tokens`),
    cached: numberAt(usage, `${input}_tokens_details`, "cached_tokens"),
    cacheWrite: numberAt(usage, `${input}_tokens_details`, "cache_write_tokens"),
    output: numberAt(usage, `${output}_tokens`),
    reasoning: numberAt(usage, `${output}_tokens_details`, "reasoning_tokens"),
  });
}

/** What some servers add of their own: US dollars that the call cost; `undefined` for what is no such sum. */
export function chargedCost(usage: JsonValue): number | undefined {
  const cost = numberAt(usage, "cost");
  return cost !== undefined && cost >= 0 ? cost : undefined;
}
