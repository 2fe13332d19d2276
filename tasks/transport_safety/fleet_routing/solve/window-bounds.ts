import type { IndexedProblem, IndexedVehicle } from "./indexed-problem.ts";

/** How early each visit of a route can be over, and how late it can begin, breaks and duty left aside. */
export interface WindowBounds {
  /** Earliest departure from place i of the route; 0 is the depot, i + 1 visit i. */
  readonly leave: Float64Array;
  /** Latest arrival at visit i; at the end, that at the depot. */
  readonly reach: Float64Array;
}

export function windowBounds(
  { problem, count, open, close, service }: IndexedProblem,
  { minutes }: IndexedVehicle,
  route: readonly number[],
): WindowBounds {
  const size = count + 1;
  const leave = new Float64Array(route.length + 1);
  const reach = new Float64Array(route.length + 1);
  let [time, place] = [problem.rules.depotOpen, 0];
  leave[0] = time;
  for (const [index, order] of route.entries()) {
    time = Math.max(time + (minutes[place * size + order + 1] as number), open[order] as number);
    time += service[order] as number;
    leave[index + 1] = time;
    place = order + 1;
  }
  time = problem.rules.depotClose;
  reach[route.length] = time;
  place = 0;
  for (let index = route.length - 1; index >= 0; index--) {
    const order = route[index] as number;
    const departs = time - (minutes[(order + 1) * size + place] as number);
    time = Math.min(departs - (service[order] as number), close[order] as number);
    reach[index] = time;
    place = order + 1;
  }
  return { leave, reach };
}

/** Whether an order's window can be met at a position of the route, as far as the bounds tell. */
export function windowAllows(
  { count, open, close, service }: IndexedProblem,
  { minutes }: IndexedVehicle,
  route: readonly number[],
  { leave, reach }: WindowBounds,
  order: number,
  position: number,
): boolean {
  const size = count + 1;
  const before = position === 0 ? 0 : (route[position - 1] as number) + 1;
  const after = position === route.length ? 0 : (route[position] as number) + 1;
  const arrival = (leave[position] as number) + (minutes[before * size + order + 1] as number);
  if (arrival > (close[order] as number)) return false;
  const departure = Math.max(arrival, open[order] as number) + (service[order] as number);
  return departure + (minutes[(order + 1) * size + after] as number) <= (reach[position] as number);
}
