import type { JsonValue } from "../contract/json-value.ts";
import type { ModelProbe } from "./probe-models.ts";

/** A probe as `--json` prints it: the cost of an answer is `null` with a reason where it is not known. */
export function probeFields({ outcome, ...probe }: ModelProbe): { readonly [name: string]: JsonValue } {
  if (outcome.kind !== "answers") return { ...probe, outcome: { ...outcome } };
  const { costUsd, ...answer } = outcome;
  const cost = costUsd.known ? { costUsd: costUsd.value } : { costUsd: null, costUsdReason: costUsd.reason };
  return { ...probe, outcome: { ...answer, ...cost } };
}
