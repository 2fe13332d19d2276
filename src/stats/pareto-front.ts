/** A point of a trade-off: worth more, costs less. */
export interface TradeOff {
  readonly worth: number;
  readonly cost: number;
}

/**
 * The points no other point beats: none is worth at least as much for at most the cost, and better in one of both.
 * Equal points stay together. By rising cost.
 */
export function paretoFront<T extends TradeOff>(points: readonly T[]): readonly T[] {
  const order = [...points].sort((one, other) => one.cost - other.cost || other.worth - one.worth);
  const front: T[] = [];
  for (const point of order) {
    const best = front.at(-1);
    const equal = best !== undefined && best.worth === point.worth && best.cost === point.cost;
    if (best === undefined || point.worth > best.worth || equal) front.push(point);
  }
  return front;
}
