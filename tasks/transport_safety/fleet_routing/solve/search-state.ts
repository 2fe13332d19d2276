/** A plan under search; absent orders are in no route yet. */
export interface SearchState {
  /** Per vehicle, in the order of the problem's vehicles: orders in sequence. */
  readonly routes: readonly (readonly number[])[];
  /** Euros per route; 0 for a vehicle that stays in the depot. */
  readonly costs: readonly number[];
  readonly absent: readonly number[];
  /** Costs and penalties together, euros. */
  readonly total: number;
}

/** More than it can cost to send a vehicle of its own for an order. */
const absentPenalty = 5000;

export function totalCost(costs: readonly number[], absent: readonly number[]): number {
  return costs.reduce((sum, cost) => sum + cost, absentPenalty * absent.length);
}
