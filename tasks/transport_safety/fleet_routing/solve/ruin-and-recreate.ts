import { exchangeVehicles } from "./exchange-vehicles.ts";
import type { IndexedProblem, IndexedVehicle } from "./indexed-problem.ts";
import { routeCost } from "./route-cost.ts";
import { type SearchState, totalCost } from "./search-state.ts";
import { type WindowBounds, windowAllows, windowBounds } from "./window-bounds.ts";

export interface Search {
  readonly iterations: number;
  /** Uniform in [0, 1). */
  readonly next: () => number;
}

export interface SearchResult {
  /** Per vehicle, in the order of the problem's vehicles: orders in sequence. */
  readonly routes: readonly (readonly number[])[];
  readonly unserved: number;
}

const blink = 0.01;
const exchangeShare = 0.2;
/** Temperatures in euros, at the first and the last iteration. */
const [hot, cold] = [100, 4];

/**
 * Simulated annealing over ruin and recreate: strings of neighbouring visits are taken out of several routes and put
 * back greedily, now and then passing over the best place (Christiaens and Vanden Berghe, 2020). Counted in
 * iterations, so that a search is the same on every machine.
 */
export function ruinAndRecreate(indexed: IndexedProblem, search: Search): SearchResult {
  const neighbours = neighbourLists(indexed);
  const empty = indexed.vehicles.map(() => [] as number[]);
  const everything = Array.from({ length: indexed.count }, (_, index) => index);
  let current = recreate(indexed, search, {
    routes: empty,
    costs: empty.map(() => 0),
    absent: everything,
    total: 0,
  });
  let best = current;
  for (let iteration = 0; iteration < search.iterations; iteration++) {
    const heat = hot * (cold / hot) ** (iteration / search.iterations);
    const next =
      search.next() < exchangeShare
        ? exchangeVehicles(indexed, search.next, current)
        : recreate(indexed, search, ruin(indexed, search, current, neighbours));
    if (next.total < current.total - heat * Math.log(1 - search.next())) current = next;
    if (next.total < best.total) best = next;
  }
  return { routes: best.routes, unserved: best.absent.length };
}

function neighbourLists({ vehicles, count }: IndexedProblem): readonly (readonly number[])[] {
  const { minutes } = vehicles.reduce((least, vehicle) =>
    vehicle.vehicle.grossKg < least.vehicle.grossKg ? vehicle : least,
  );
  const between = (a: number, b: number): number =>
    (minutes[(a + 1) * (count + 1) + b + 1] as number) + (minutes[(b + 1) * (count + 1) + a + 1] as number);
  return Array.from({ length: count }, (_, order) =>
    Array.from({ length: count }, (_, other) => other).sort(
      (a, b) => between(order, a) - between(order, b) || a - b,
    ),
  );
}

function ruin(
  indexed: IndexedProblem,
  { next }: Search,
  state: SearchState,
  neighbours: readonly (readonly number[])[],
): SearchState {
  const routes = state.routes.map((route) => [...route]);
  const touched = new Set<number>();
  const absent = [...state.absent];
  const holder = new Map(state.routes.flatMap((route, index) => route.map((order) => [order, index])));
  const strings = 1 + Math.floor(next() * 3.5);
  const seed = Math.floor(next() * indexed.count);
  for (const order of neighbours[seed] ?? []) {
    if (touched.size >= strings) break;
    const at = holder.get(order);
    if (at === undefined || touched.has(at)) continue;
    const route = routes[at] as number[];
    const length = 1 + Math.floor(next() * Math.min(route.length, 8));
    const position = route.indexOf(order);
    const lowest = Math.max(0, position - length + 1);
    const highest = Math.min(position, route.length - length);
    const from = lowest + Math.floor(next() * (highest - lowest + 1));
    absent.push(...route.splice(from, length));
    touched.add(at);
  }
  const costs = [...state.costs];
  for (const at of touched) {
    const vehicle = indexed.vehicles[at] as IndexedVehicle;
    const cost = routeCost(indexed, vehicle, routes[at] as number[]);
    costs[at] = cost;
    if (cost !== Number.POSITIVE_INFINITY) continue;
    // Without the visit that was followed by the break, the rest of the route may have no place for one.
    absent.push(...(routes[at] as number[]));
    routes[at] = [];
    costs[at] = 0;
  }
  return { routes, costs, absent, total: 0 };
}

function recreate(indexed: IndexedProblem, { next }: Search, start: SearchState): SearchState {
  const routes = start.routes.map((route) => [...route]);
  const costs = [...start.costs];
  const left: number[] = [];
  const bounds = new Map<number, WindowBounds>();
  let untilBlink = placesUntilBlink(next);
  const keys = orderKeys(indexed, next);
  const waiting = [...start.absent].sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b);
  for (const order of waiting) {
    let [bestGain, bestVehicle, bestPosition, bestCost] = [Number.POSITIVE_INFINITY, -1, -1, 0];
    const emptyKinds = new Set<string>();
    for (const [at, vehicle] of indexed.vehicles.entries()) {
      const route = routes[at] as number[];
      if (route.length === 0) {
        if (emptyKinds.has(vehicle.kind)) continue;
        emptyKinds.add(vehicle.kind);
      }
      if (!fits(indexed, vehicle, route, order)) continue;
      let limits = bounds.get(at);
      if (limits === undefined) {
        limits = windowBounds(indexed, vehicle, route);
        bounds.set(at, limits);
      }
      for (let position = 0; position <= route.length; position++) {
        if (untilBlink-- === 0) {
          untilBlink = placesUntilBlink(next);
          continue;
        }
        if (!windowAllows(indexed, vehicle, route, limits, order, position)) continue;
        const extra = detour(indexed, vehicle, route, order, position);
        if (extra >= bestGain) continue;
        const cost = routeCost(indexed, vehicle, route.toSpliced(position, 0, order));
        const gain = cost - (costs[at] as number);
        if (gain < bestGain) [bestGain, bestVehicle, bestPosition, bestCost] = [gain, at, position, cost];
      }
    }
    if (bestVehicle < 0) left.push(order);
    else {
      (routes[bestVehicle] as number[]).splice(bestPosition, 0, order);
      costs[bestVehicle] = bestCost;
      bounds.delete(bestVehicle);
    }
  }
  return { routes, costs, absent: left, total: totalCost(costs, left) };
}

/** How many places are looked at before the next is passed over: geometric, one draw in place of one per place. */
function placesUntilBlink(next: () => number): number {
  return Math.floor(Math.log(1 - next()) / Math.log(1 - blink));
}

/** The order in which orders are put back: by chance, widest first, heaviest first, or farthest first. */
function orderKeys(indexed: IndexedProblem, next: () => number): readonly number[] {
  const orders = Array.from({ length: indexed.count }, (_, index) => index);
  const choice = next();
  if (choice < 0.35) return orders.map(() => next());
  if (choice < 0.6) return orders.map((order) => -(indexed.grams[order] as number));
  const { minutes } = indexed.vehicles[0] as IndexedVehicle;
  if (choice < 0.8) return orders.map((order) => -(minutes[order + 1] as number));
  return orders.map((order) => (indexed.close[order] as number) - (indexed.open[order] as number));
}

function fits(
  { grams, litres, goods }: IndexedProblem,
  { takes, vehicle }: IndexedVehicle,
  route: readonly number[],
  order: number,
): boolean {
  if (takes[order] === 0) return false;
  let [weight, volume] = [grams[order] as number, litres[order] as number];
  for (const other of route) {
    weight += grams[other] as number;
    volume += litres[other] as number;
    if ((goods[other] as number) + (goods[order] as number) === 3) return false;
  }
  return weight <= vehicle.payloadGrams && volume <= vehicle.volumeLitres;
}

/** What the longer way costs at least; the longer day comes on top. */
function detour(
  { count }: IndexedProblem,
  { hectometres, vehicle }: IndexedVehicle,
  route: readonly number[],
  order: number,
  position: number,
): number {
  const before = position === 0 ? 0 : (route[position - 1] as number) + 1;
  const after = position === route.length ? 0 : (route[position] as number) + 1;
  const size = count + 1;
  const added =
    (hectometres[before * size + order + 1] as number) + (hectometres[(order + 1) * size + after] as number);
  const saved = before === after ? 0 : (hectometres[before * size + after] as number);
  return ((added - saved) * vehicle.perKm) / 10;
}
