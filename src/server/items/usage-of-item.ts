import type { ItemUsage } from "../api/item-page.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a step of a trajectory says that it used; `undefined` for a step that no model took. */
export function usageOfStep(step: unknown): ItemUsage | undefined {
  const metrics = fieldsOf(fieldsOf(step)?.["metrics"]);
  if (metrics === undefined) return undefined;
  const [input, output] = [numberOf(metrics["prompt_tokens"]), numberOf(metrics["completion_tokens"])];
  const cached = numberOf(metrics["cached_tokens"]) ?? 0;
  const cost = numberOf(metrics["cost_usd"]);
  return {
    ...(input === undefined || output === undefined ? {} : { tokens: { input, cached, output } }),
    ...(cost === undefined ? {} : { costUsd: cost }),
  };
}

/** What the gateway metered of a call. */
export function usageOfCall(call: unknown): ItemUsage | undefined {
  const fields = fieldsOf(call);
  if (fields === undefined) return undefined;
  const usage = fieldsOf(fieldsOf(fields["usage"])?.["value"]);
  const [input, output] = [numberOf(usage?.["input"]), numberOf(usage?.["output"])];
  const cost = numberOf(fieldsOf(fields["costUsd"])?.["value"]);
  return {
    ...(input === undefined || output === undefined
      ? {}
      : { tokens: { input, cached: numberOf(usage?.["cached"]) ?? 0, output } }),
    ...(cost === undefined ? {} : { costUsd: cost }),
  };
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
