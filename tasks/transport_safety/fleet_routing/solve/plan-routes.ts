import type { PlannedRoute, PlannedStop, Problem } from "../problem/problem.ts";
import { type IndexedProblem, indexProblem } from "./indexed-problem.ts";
import { ruinAndRecreate, type Search } from "./ruin-and-recreate.ts";
import { scheduleRoute } from "./schedule-route.ts";

/** Plans the day; undefined when the search leaves orders without a vehicle. */
export function planRoutes(problem: Problem, search: Search): readonly PlannedRoute[] | undefined {
  const indexed = indexProblem(problem);
  const { routes, unserved } = ruinAndRecreate(indexed, search);
  if (unserved > 0) return undefined;
  return routes.flatMap((sequence, index) =>
    sequence.length === 0 ? [] : [timetable(indexed, index, sequence)],
  );
}

function timetable(indexed: IndexedProblem, index: number, sequence: readonly number[]): PlannedRoute {
  const vehicle = indexed.vehicles[index] as IndexedProblem["vehicles"][number];
  const schedule = scheduleRoute(indexed, vehicle, sequence);
  if (schedule === undefined) throw new Error("a route of the plan cannot be timed");
  const { orders, rules } = indexed.problem;
  const stops: PlannedStop[] = [];
  let [time, place] = [schedule.leave, 0];
  for (const [position, order] of sequence.entries()) {
    const { id, open, service } = orders[order] as (typeof orders)[number];
    const arrival = time + (vehicle.minutes[place * (indexed.count + 1) + order + 1] as number);
    const start = Math.max(arrival, open);
    const rest = position === schedule.restAfter ? rules.minBreak : 0;
    const departure = start + service + rest;
    stops.push({ order: id, arrival, start, departure, rest });
    [time, place] = [departure, order + 1];
  }
  const back = time + (vehicle.minutes[place * (indexed.count + 1)] as number);
  return { vehicle: vehicle.vehicle.id, leave: schedule.leave, stops, back };
}
