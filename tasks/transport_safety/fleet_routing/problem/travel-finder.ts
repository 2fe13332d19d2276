import type { Travel } from "./problem.ts";

/** A stretch of road in one direction. */
export interface RoadLeg {
  readonly from: string;
  readonly to: string;
  readonly minutes: number;
  readonly hectometres: number;
  readonly maxGrossKg: number;
}

/**
 * Fastest ways over a road network: least minutes, then least distance (Dijkstra, 1959), per gross weight, since
 * heavy vehicles may not use every road. Each source is searched once and kept.
 */
export function travelFinder(
  legs: readonly RoadLeg[],
): (grossKg: number, from: string, to: string) => Travel | undefined {
  const known = new Map<string, ReadonlyMap<string, Travel>>();
  return (grossKg, from, to) => {
    const key = `${grossKg} ${from}`;
    let reached = known.get(key);
    if (reached === undefined) {
      reached = search(
        legs.filter((leg) => leg.maxGrossKg >= grossKg),
        from,
      );
      known.set(key, reached);
    }
    return reached.get(to);
  };
}

function search(legs: readonly RoadLeg[], source: string): ReadonlyMap<string, Travel> {
  const leaving = new Map<string, RoadLeg[]>();
  for (const leg of legs) leaving.set(leg.from, [...(leaving.get(leg.from) ?? []), leg]);
  const open = new Map<string, Travel>([[source, { minutes: 0, hectometres: 0 }]]);
  const settled = new Map<string, Travel>();
  while (open.size > 0) {
    let [node, best] = [...open][0] as [string, Travel];
    for (const [other, travel] of open) if (isBetter(travel, best)) [node, best] = [other, travel];
    open.delete(node);
    settled.set(node, best);
    for (const leg of leaving.get(node) ?? []) {
      if (settled.has(leg.to)) continue;
      const next = {
        minutes: best.minutes + leg.minutes,
        hectometres: best.hectometres + leg.hectometres,
      };
      const held = open.get(leg.to);
      if (held === undefined || isBetter(next, held)) open.set(leg.to, next);
    }
  }
  return settled;
}

function isBetter(first: Travel, second: Travel): boolean {
  return (
    first.minutes < second.minutes ||
    (first.minutes === second.minutes && first.hectometres < second.hectometres)
  );
}
