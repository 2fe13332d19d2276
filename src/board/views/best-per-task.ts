import type { ScoringPolicy } from "../../contract/scoring-policy.ts";
import { pairedSide } from "../../stats/paired-difference.ts";
import type { BoardEntry } from "../board-entry.ts";
import { laneObservations, type Measure } from "../lane-estimate.ts";

/** Who did best on one instance, repeats averaged. */
export type BestOnTask = { readonly instance: string } & (
  | {
      readonly kind: "best";
      readonly value: number;
      /** Everybody with this value; one run each says little, so a single name is no claim. */
      readonly contestants: readonly string[];
      /** Contestants with a known score. */
      readonly known: number;
      /** Of these, with at least one full pass. */
      readonly passedBy: number;
    }
  | { readonly kind: "refused"; readonly reason: string }
);

/** The best on every instance. Contestants are compared only where they were graded under one comparability key. */
export function bestPerTask(
  entries: readonly BoardEntry[],
  options: { readonly policy: ScoringPolicy; readonly measure: Measure },
): readonly BestOnTask[] {
  const instances = [...new Set(entries.flatMap((entry) => [...entry.conditions.keys()]))].sort();
  const sides = entries.map((entry) => ({
    entry,
    values: pairedSide(laneObservations(entry.trials, options.measure, options.policy)),
    passes: pairedSide(laneObservations(entry.trials, "full-pass", options.policy)),
  }));
  return instances.map((instance): BestOnTask => {
    const here = sides.filter(({ entry }) => entry.conditions.has(instance));
    const keys = new Set(here.map(({ entry }) => entry.conditions.get(instance)?.comparabilityKey));
    const mixed = here.some(({ entry }) => entry.mixed.includes(instance));
    if (keys.size > 1 || mixed) {
      const reason = "contestants were graded under different comparability keys";
      return { instance, kind: "refused", reason };
    }
    const scored = here.flatMap(({ entry, values, passes }) => {
      const own = values.get(instance);
      if (own === undefined) return [];
      const value = own.sum / own.count;
      return [{ contestant: entry.contestant, value, passed: (passes.get(instance)?.sum ?? 0) > 0 }];
    });
    if (scored.length === 0) return { instance, kind: "refused", reason: "nobody has a known score" };
    const value = Math.max(...scored.map((own) => own.value));
    return {
      instance,
      kind: "best",
      value,
      contestants: scored.filter((own) => own.value === value).map((own) => own.contestant),
      known: scored.length,
      passedBy: scored.filter((own) => own.passed).length,
    };
  });
}
