import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { numberAt, parseJson } from "../../contract/json-fields.ts";
import type { TrialResult } from "../../contract/trial-result.ts";
import { orAbsent } from "../../files/or-absent.ts";
import { callFiles } from "../../gateway/record/call-log.ts";
import type { AttemptRecord } from "../../record/run-record.ts";

/**
 * What is known of an attempt's cost, in US dollars. An attempt that was cut off has no result and does not count, but its
 * calls are paid for: as many of them as were written down.
 */
export async function costOfAttempt({ result, dir }: AttemptRecord): Promise<number> {
  if (result !== undefined) return knownCost(result);
  const text = (await orAbsent(readFile(join(dir, callFiles.calls), "utf8"))) ?? "";
  // A line that was being written may be torn.
  return text
    .split("\n")
    .map((line) => numberAt(parseJson(line), "costUsd", "value") ?? 0)
    .reduce((sum, cost) => sum + cost, 0);
}

/** What is known of an attempt's cost, be it of some of its calls, in US dollars. */
export function knownCost({ costUsd, accounts }: TrialResult): number {
  if (costUsd.known) return costUsd.value;
  return accounts?.gateway.knownCostUsd ?? 0;
}
