import type { Effort } from "../../contract/contestant.ts";

/** From least to most. */
export const effortScale: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** The level that is allowed and nearest on the scale; of two as near, the lower. Throws a `RangeError` on an empty list. */
export function nearestEffort(effort: Effort, allowed: readonly Effort[]): Effort {
  const at = effortScale.indexOf(effort);
  const distance = (level: Effort): number => Math.abs(effortScale.indexOf(level) - at);
  const sorted = effortScale.filter((level) => allowed.includes(level));
  const best = sorted.reduce<Effort | undefined>(
    (found, level) => (found === undefined || distance(level) < distance(found) ? level : found),
    undefined,
  );
  if (best === undefined) throw new RangeError("a model must know at least one level of effort");
  return best;
}

/** Thinking tokens that stand for a level where a model takes a number. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 4096,
  medium: 8192,
  high: 16_384,
  xhigh: 24_576,
  max: 32_768,
};

export function effortBudget(effort: Effort): number {
  return budgets[effort];
}

/** The level whose number of thinking tokens is nearest. */
export function effortOfBudget(tokens: number): Effort {
  return effortScale.reduce((best, level) =>
    Math.abs(budgets[level] - tokens) < Math.abs(budgets[best] - tokens) ? level : best,
  );
}

/** The level of this name, in any case; `undefined` for other words. */
export function effortNamed(name: string | undefined): Effort | undefined {
  return effortScale.find((level) => level === name?.toLowerCase());
}
