import { formatClock } from "./clock-time.ts";
import type { PlannedRoute, Problem } from "./problem.ts";

/** Cost and totals of a plan, as `summary.json` wants them. */
export interface Summary {
  readonly vehicles_used: number;
  readonly orders_delivered: number;
  readonly total_km: number;
  readonly total_duty_minutes: number;
  readonly total_cost_eur: number;
}

export const routeColumns = [
  "vehicle_id",
  "stop",
  "site_id",
  "order_id",
  "arrival",
  "service_start",
  "departure",
  "break_min",
] as const;

/** The rows of `routes.csv`, header first. */
export function planRows(problem: Problem, routes: readonly PlannedRoute[]): string[][] {
  const { depot } = problem.rules;
  const siteOf = new Map(problem.orders.map((order) => [order.id, order.site]));
  const rows: string[][] = [[...routeColumns]];
  for (const { vehicle, leave, stops, back } of routes) {
    rows.push([vehicle, "0", depot, "", "", "", formatClock(leave), ""]);
    for (const [index, stop] of stops.entries()) {
      rows.push([
        vehicle,
        String(index + 1),
        siteOf.get(stop.order) ?? "",
        stop.order,
        formatClock(stop.arrival),
        formatClock(stop.start),
        formatClock(stop.departure),
        String(stop.rest),
      ]);
    }
    rows.push([vehicle, String(stops.length + 1), depot, "", formatClock(back), "", "", ""]);
  }
  return rows;
}

/** Totals over routes whose every leg can be driven. */
export function summarise(problem: Problem, routes: readonly PlannedRoute[]): Summary {
  const { depot } = problem.rules;
  const siteOf = new Map(problem.orders.map((order) => [order.id, order.site]));
  let [hectometres, minutes, cost] = [0, 0, 0];
  for (const route of routes) {
    const vehicle = problem.vehicles.find(({ id }) => id === route.vehicle);
    if (vehicle === undefined) continue;
    const places = [depot, ...route.stops.map(({ order }) => siteOf.get(order) ?? ""), depot];
    let length = 0;
    for (const [index, place] of places.slice(1).entries()) {
      length += problem.travel(vehicle.grossKg, places[index] as string, place)?.hectometres ?? 0;
    }
    const duty = route.back - route.leave;
    hectometres += length;
    minutes += duty;
    cost += vehicle.perDay + (vehicle.perKm * length) / 10 + (vehicle.perHour * duty) / 60;
  }
  return {
    vehicles_used: routes.length,
    orders_delivered: routes.reduce((sum, { stops }) => sum + stops.length, 0),
    total_km: Math.round(hectometres) / 10,
    total_duty_minutes: minutes,
    total_cost_eur: Math.round(cost * 100) / 100,
  };
}
