import { known, type Maybe, unknown } from "../contract/absence.ts";

/** What coders called one unit; a coder without a label is absent. */
export type CodedUnit = ReadonlyMap<string, string>;

/**
 * Cohen's kappa (Educational and Psychological Measurement 20, 1960) of two coders over the units that both labelled.
 * Unknown without such units, and where both used one and the same label throughout: chance then explains everything.
 */
export function cohenKappa(units: readonly CodedUnit[], first: string, second: string): Maybe<number> {
  const pairs = units.flatMap((unit) => {
    const [one, other] = [unit.get(first), unit.get(second)];
    return one === undefined || other === undefined ? [] : [[one, other] as const];
  });
  if (pairs.length === 0) return unknown(`${first} and ${second} labelled nothing in common`);
  const observed = pairs.filter(([one, other]) => one === other).length / pairs.length;
  const shares = (side: 0 | 1): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const pair of pairs) counts.set(pair[side], (counts.get(pair[side]) ?? 0) + 1 / pairs.length);
    return counts;
  };
  const others = shares(1);
  let expected = 0;
  for (const [label, share] of shares(0)) expected += share * (others.get(label) ?? 0);
  if (expected > 1 - 1e-12) return unknown("both used one label throughout");
  return known((observed - expected) / (1 - expected));
}

/**
 * Krippendorff's alpha for nominal labels (Content Analysis, 2004, chapter 11): any number of coders, missing labels
 * allowed. Units with fewer than two labels say nothing. Unknown without pairs, and where only one label occurs.
 */
export function krippendorffAlpha(units: readonly CodedUnit[]): Maybe<number> {
  const totals = new Map<string, number>();
  let pairable = 0;
  let disagreement = 0;
  for (const unit of units) {
    const labels = [...unit.values()];
    if (labels.length < 2) continue;
    pairable += labels.length;
    const counts = new Map<string, number>();
    for (const label of labels) {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      totals.set(label, (totals.get(label) ?? 0) + 1);
    }
    let agreeing = 0;
    for (const count of counts.values()) agreeing += count * (count - 1);
    disagreement += (labels.length * (labels.length - 1) - agreeing) / (labels.length - 1);
  }
  if (pairable === 0) return unknown("no unit has two labels");
  let expected = pairable * pairable;
  for (const count of totals.values()) expected -= count * count;
  if (expected === 0) return unknown("only one label was used");
  return known(1 - ((pairable - 1) * disagreement) / expected);
}
