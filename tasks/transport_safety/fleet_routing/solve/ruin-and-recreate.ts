import type { IndexedProblem, IndexedVehicle } from "./indexed-problem.ts";
import { scheduleRoute } from "./schedule-route.ts";

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

interface State {
  routes: readonly (readonly number[])[];
  costs: readonly number[];
  absent: readonly number[];
  total: number;
}

const absentPenalty = 5000;
const blink = 0.01;

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
  const [hot, cold] = [60, 0.5];
  for (let iteration = 0; iteration < search.iterations; iteration++) {
    const heat = hot * (cold / hot) ** (iteration / search.iterations);
    const next = recreate(indexed, search, ruin(indexed, search, current, neighbours));
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
  state: State,
  neighbours: readonly (readonly number[])[],
): State {
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

function recreate(indexed: IndexedProblem, { next }: Search, start: State): State {
  const routes = start.routes.map((route) => [...route]);
  const costs = [...start.costs];
  const left: number[] = [];
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
      for (let position = 0; position <= route.length; position++) {
        if (next() < blink) continue;
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
    }
  }
  const total = costs.reduce((sum, cost) => sum + cost, absentPenalty * left.length);
  return { routes, costs, absent: left, total };
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

function routeCost(indexed: IndexedProblem, vehicle: IndexedVehicle, sequence: readonly number[]): number {
  if (sequence.length === 0) return 0;
  const schedule = scheduleRoute(indexed, vehicle, sequence);
  if (schedule === undefined) return Number.POSITIVE_INFINITY;
  const size = indexed.count + 1;
  let [length, place] = [0, 0];
  for (const order of sequence) {
    length += vehicle.hectometres[place * size + order + 1] as number;
    place = order + 1;
  }
  length += vehicle.hectometres[place * size] as number;
  const { perDay, perKm, perHour } = vehicle.vehicle;
  return perDay + (perKm * length) / 10 + (perHour * schedule.duty) / 60;
}
