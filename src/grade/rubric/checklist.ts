import type { Check, Verdict } from "../../contract/verdict.ts";
import { buildVerdict } from "./build-verdict.ts";
import { weightedMean } from "./weighted-mean.ts";

export interface ChecklistOptions {
  /** `share`: the weighted share of the items ticked. `all`: 1 when every item is ticked, else 0. */
  readonly credit: "share" | "all";
}

/**
 * A list of yes-or-no items: an item is ticked when its score is exactly 1, and anything less counts as 0 (and
 * stands as 0 in the verdict, with its message kept). Items weigh alike unless told otherwise; a gate that is
 * not ticked makes the verdict 0.
 */
export function checklist(items: readonly Check[], options: ChecklistOptions): Verdict {
  const ticked = items.map((item): Check => ({ ...item, score: item.score === 1 ? 1 : 0 }));
  const share = weightedMean(ticked) ?? 1;
  const score = options.credit === "share" ? share : Math.floor(share);
  return buildVerdict("checklist", ticked, score);
}
