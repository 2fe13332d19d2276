/** A contestant with both its score and its cost known. */
export interface CostPoint {
  readonly contestant: string;
  /** From 0 to 1. */
  readonly value: number;
  readonly costUsd: number;
  /** Points of different groups are no trade-off. */
  readonly group: string;
}

/** The points of one group that nobody of it beats: as good for less, or better for as much. Cheapest first. */
export function paretoFront(points: readonly CostPoint[]): readonly CostPoint[] {
  const ordered = points.toSorted((one, other) => one.costUsd - other.costUsd || other.value - one.value);
  const front: CostPoint[] = [];
  for (const point of ordered) {
    if (point.value > (front.at(-1)?.value ?? -1)) front.push(point);
  }
  return front;
}
