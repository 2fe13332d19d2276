import { numberAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { Usage } from "../../contract/usage.ts";

type Count = Exclude<keyof Usage, "calls">;

/** Where a harness puts its counts. */
export interface UsageNames {
  readonly names: Readonly<Partial<Record<Count, readonly (string | number)[]>>>;
  /** Whether its `input` counts cached and cache-write tokens too, as ours does. */
  readonly inputIncludesCached: boolean;
}

/** A harness's counts with our meaning; what it does not name is 0, and what is not a whole count is 0. */
export function claimedUsage(
  value: JsonValue | undefined,
  calls: number,
  { names, inputIncludesCached }: UsageNames,
): Usage {
  const count = (name: Count): number => {
    const path = names[name];
    const found = path === undefined ? undefined : numberAt(value, ...path);
    return found !== undefined && Number.isSafeInteger(found) && found >= 0 ? found : 0;
  };
  const [input, cached, cacheWrite] = [count("input"), count("cached"), count("cacheWrite")];
  return {
    calls,
    input: inputIncludesCached ? input : input + cached + cacheWrite,
    cached,
    cacheWrite,
    output: count("output"),
    reasoning: count("reasoning"),
  };
}
