/** Half-open, 0-based, as in BED. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Sorted intervals per contig that neither touch nor overlap. */
export type Regions = ReadonlyMap<string, readonly Interval[]>;

/** Reads BED: comments, `track` and `browser` lines skipped, further columns ignored, overlaps merged. */
export function readBed(text: string): Regions {
  const found = new Map<string, Interval[]>();
  for (const line of text.split("\n")) {
    if (line.trim() === "" || /^(#|track\b|browser\b)/.test(line)) continue;
    const [contig = "", start, end] = line.split("\t");
    const list = found.get(contig) ?? [];
    list.push({ start: Number(start), end: Number(end) });
    found.set(contig, list);
  }
  return new Map([...found].map(([contig, list]) => [contig, merge(list)]));
}

/** What lies in `from` and in nothing of `removed`. */
export function subtract(from: Regions, removed: Regions): Regions {
  const left = new Map<string, Interval[]>();
  for (const [contig, list] of from) {
    const kept: Interval[] = [];
    for (const interval of list) {
      let start = interval.start;
      for (const hole of removed.get(contig) ?? []) {
        if (hole.end <= start || hole.start >= interval.end) continue;
        if (hole.start > start) kept.push({ start, end: hole.start });
        start = hole.end;
      }
      if (start < interval.end) kept.push({ start, end: interval.end });
    }
    left.set(contig, kept);
  }
  return left;
}

/** Whether a 0-based offset lies in the regions, at least `margin` bases from their ends. */
export function contains(regions: Regions, contig: string, offset: number, margin = 0): boolean {
  const list = regions.get(contig) ?? [];
  return list.some(({ start, end }) => offset >= start + margin && offset < end - margin);
}

/** Bases in the regions. */
export function sizeOf(regions: Regions): number {
  return [...regions.values()].flat().reduce((sum, { start, end }) => sum + end - start, 0);
}

function merge(list: readonly Interval[]): readonly Interval[] {
  const merged: Interval[] = [];
  for (const next of list.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last === undefined || next.start > last.end) merged.push(next);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, next.end) };
  }
  return merged;
}
