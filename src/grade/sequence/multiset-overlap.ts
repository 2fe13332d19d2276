/** How two collections agree. */
export interface Overlap {
  /** Items in both, counted as often as in the one that has fewer. */
  readonly common: number;
  /** In the expected only, in its order; repeated as often as they lack. */
  readonly missing: readonly string[];
  /** In the actual only, in its order; repeated as often as they are too many. */
  readonly extra: readonly string[];
}

/** Compares two collections in which the order means nothing and repetition counts. */
export function multisetOverlap(actual: readonly string[], expected: readonly string[]): Overlap {
  const open = new Map<string, number>();
  for (const item of expected) open.set(item, (open.get(item) ?? 0) + 1);
  const extra: string[] = [];
  for (const item of actual) {
    const left = open.get(item) ?? 0;
    if (left === 0) extra.push(item);
    else open.set(item, left - 1);
  }
  const missing: string[] = [];
  for (let index = expected.length - 1; index >= 0; index--) {
    const item = expected[index] as string;
    const left = open.get(item) ?? 0;
    if (left === 0) continue;
    missing.push(item);
    open.set(item, left - 1);
  }
  return { common: expected.length - missing.length, missing: missing.reverse(), extra };
}
