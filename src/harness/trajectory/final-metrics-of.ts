import type { FinalMetrics } from "../../contract/trajectory.ts";
import type { StreamFacts } from "./stream-reader.ts";

/** The harness's own totals in the format's words; what it does not tell is absent. */
export function finalMetricsOf(facts: StreamFacts): Omit<FinalMetrics, "total_steps"> {
  return {
    ...(facts.usage.known
      ? {
          total_prompt_tokens: facts.usage.value.input,
          total_completion_tokens: facts.usage.value.output,
          total_cached_tokens: facts.usage.value.cached,
        }
      : {}),
    ...(facts.costUsd.known ? { total_cost_usd: facts.costUsd.value } : {}),
  };
}
