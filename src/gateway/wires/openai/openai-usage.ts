import { numberAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import type { Usage } from "../../../contract/usage.ts";

/** Numbers of Chat (`prompt`, `completion`) or Responses (`input`, `output`); both count cached and reasoning in. */
export function openaiUsage(
  usage: JsonValue,
  names: { readonly input: string; readonly output: string },
): Usage {
  const { input, output } = names;
  return {
    calls: 1,
    input: numberAt(usage, `${input}_tokens`) ?? 0,
    cached: numberAt(usage, `${input}_tokens_details`, "cached_tokens") ?? 0,
    cacheWrite: numberAt(usage, `${input}_tokens_details`, "cache_write_tokens") ?? 0,
    output: numberAt(usage, `${output}_tokens`) ?? 0,
    reasoning: numberAt(usage, `${output}_tokens_details`, "reasoning_tokens") ?? 0,
  };
}
