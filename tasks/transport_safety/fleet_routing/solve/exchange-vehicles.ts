import type { IndexedProblem, IndexedVehicle } from "./indexed-problem.ts";
import { routeCost } from "./route-cost.ts";
import { type SearchState, totalCost } from "./search-state.ts";

/** Two vehicles of different kinds, chosen by chance, change routes; the same state where they cannot. */
export function exchangeVehicles(
  indexed: IndexedProblem,
  next: () => number,
  state: SearchState,
): SearchState {
  const { vehicles } = indexed;
  const one = Math.floor(next() * vehicles.length);
  const two = Math.floor(next() * vehicles.length);
  const [first, second] = [vehicles[one] as IndexedVehicle, vehicles[two] as IndexedVehicle];
  if (first.kind === second.kind) return state;
  const routes = [...state.routes];
  [routes[one], routes[two]] = [state.routes[two] as number[], state.routes[one] as number[]];
  const costs = [...state.costs];
  for (const [at, vehicle] of [[one, first] as const, [two, second] as const]) {
    const route = routes[at] as readonly number[];
    if (!carries(indexed, vehicle, route)) return state;
    costs[at] = routeCost(indexed, vehicle, route);
  }
  return { routes, costs, absent: state.absent, total: totalCost(costs, state.absent) };
}

function carries(
  indexed: IndexedProblem,
  { takes, vehicle }: IndexedVehicle,
  route: readonly number[],
): boolean {
  let [weight, volume] = [0, 0];
  for (const order of route) {
    if (takes[order] === 0) return false;
    weight += indexed.grams[order] as number;
    volume += indexed.litres[order] as number;
  }
  return weight <= vehicle.payloadGrams && volume <= vehicle.volumeLitres;
}
