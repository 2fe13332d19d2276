import type { ScoringPolicy } from "../../contract/scoring-policy.ts";
import { type ItemResponse, itemResponse } from "../../stats/item-response.ts";
import { pairedSide } from "../../stats/paired-difference.ts";
import type { BoardEntry } from "../board-entry.ts";
import { laneObservations } from "../lane-estimate.ts";

/**
 * Difficulty and discrimination of every instance, from full passes. Refused for rows of unequal comparability keys, and
 * for fewer contestants than slopes need.
 */
export function instanceDifficulty(entries: readonly BoardEntry[], policy: ScoringPolicy): ItemResponse {
  if (new Set(entries.map((entry) => entry.key)).size > 1) {
    return { kind: "refused", reason: "the rows were graded under unequal comparability keys" };
  }
  return itemResponse(
    entries.flatMap((entry) =>
      [...pairedSide(laneObservations(entry.trials, "full-pass", policy))].map(
        ([instance, { sum, count }]) => ({
          contestant: entry.contestant,
          task: instance,
          passes: sum,
          runs: count,
        }),
      ),
    ),
  );
}
