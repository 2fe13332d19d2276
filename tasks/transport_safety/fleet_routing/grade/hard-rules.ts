import type { Order, PlannedRoute, Problem, Vehicle } from "../problem/problem.ts";

/** A rule that every plan must keep. */
export interface HardRule {
  readonly id: string;
  /** What is true of a plan that keeps it. */
  readonly kept: string;
  /** What breaks it, one sentence each. */
  broken(problem: Problem, routes: readonly PlannedRoute[]): readonly string[];
}

interface Loaded {
  readonly route: PlannedRoute;
  readonly vehicle: Vehicle;
  readonly orders: readonly Order[];
}

/** A rule that is looked at route by route. */
function perRoute(
  id: string,
  kept: string,
  broken: (loaded: Loaded, problem: Problem) => readonly string[],
): HardRule {
  return {
    id,
    kept,
    broken: (problem, routes) => {
      const byId = new Map(problem.orders.map((order) => [order.id, order]));
      return routes.flatMap((route) => {
        const vehicle = problem.vehicles.find((item) => item.id === route.vehicle);
        if (vehicle === undefined) return [];
        const orders = route.stops.map(({ order }) => byId.get(order) as Order);
        return broken({ route, vehicle, orders }, problem);
      });
    },
  };
}

export const hardRules: readonly HardRule[] = [
  {
    id: "vehicles",
    kept: "Every route is driven by a vehicle of the fleet.",
    broken: (problem, routes) =>
      routes
        .filter(({ vehicle }) => !problem.vehicles.some(({ id }) => id === vehicle))
        .map(({ vehicle }) => `${vehicle.slice(0, 20)} is no vehicle of the fleet.`),
  },
  {
    id: "each-order-once",
    kept: "Every order is delivered once.",
    broken: (problem, routes) => {
      const visits = routes.flatMap(({ stops }) => stops.map(({ order }) => order));
      return problem.orders.flatMap(({ id }) => {
        const count = visits.filter((visit) => visit === id).length;
        return count === 1 ? [] : [`order ${id} is delivered ${count} times.`];
      });
    },
  },
  perRoute("capacity", "No vehicle carries more than its payload and volume.", ({ vehicle, orders }) => {
    const grams = orders.reduce((sum, order) => sum + order.grams, 0);
    const litres = orders.reduce((sum, order) => sum + order.litres, 0);
    if (grams <= vehicle.payloadGrams && litres <= vehicle.volumeLitres) return [];
    return [`${vehicle.id} is loaded with ${grams / 1000} kg and ${litres} l.`];
  }),
  perRoute(
    "goods",
    "Chilled and hazardous goods travel in vehicles made for them, and never together.",
    ({ vehicle, orders }) => {
      const chilled = orders.some(({ goods }) => goods === "chilled");
      const hazardous = orders.some(({ goods }) => goods === "hazardous");
      return [
        ...(chilled && !vehicle.chilled ? [`${vehicle.id} carries chilled goods without cooling.`] : []),
        ...(hazardous && !vehicle.hazardous ? [`${vehicle.id} may not carry hazardous goods.`] : []),
        ...(chilled && hazardous ? [`${vehicle.id} carries chilled and hazardous goods together.`] : []),
      ];
    },
  ),
  perRoute("site-access", "No vehicle is too heavy for a site.", ({ vehicle, orders }, { sites }) =>
    orders
      .filter(({ site }) => (sites.get(site)?.maxGrossKg ?? 0) < vehicle.grossKg)
      .map(({ site }) => `${vehicle.id} is too heavy for ${site}.`),
  ),
  perRoute(
    "travel-times",
    "Every arrival is the departure before it plus the fastest way.",
    ({ route, vehicle, orders }, problem) => {
      const { depot } = problem.rules;
      const places = [depot, ...orders.map(({ site }) => site), depot];
      const departures = [route.leave, ...route.stops.map(({ departure }) => departure)];
      const arrivals = [...route.stops.map(({ arrival }) => arrival), route.back];
      return arrivals.flatMap((arrival, index) => {
        const [from, to] = [places[index] as string, places[index + 1] as string];
        const way = problem.travel(vehicle.grossKg, from, to);
        const due = way === undefined ? undefined : (departures[index] as number) + way.minutes;
        return arrival === due ? [] : [`${vehicle.id} cannot be at ${to} from ${from} at the time stated.`];
      });
    },
  ),
  perRoute(
    "time-windows",
    "Every service starts within its window and after the arrival, and lasts as long as it must.",
    ({ route, orders }) =>
      route.stops.flatMap((stop, index) => {
        const { id, open, close, service } = orders[index] as Order;
        return [
          ...(stop.start < open || stop.start > close ? [`order ${id} is served outside its window.`] : []),
          ...(stop.start < stop.arrival ? [`order ${id} is served before the arrival.`] : []),
          ...(stop.departure < stop.start + service + stop.rest ? [`order ${id} is left too early.`] : []),
        ];
      }),
  ),
  perRoute("depot-hours", "Every route keeps to the depot's hours.", ({ route }, { rules }) => {
    const kept = route.leave >= rules.depotOpen && route.back <= rules.depotClose;
    return kept ? [] : [`${route.vehicle} is on the road outside the depot's hours.`];
  }),
  perRoute(
    "driver-hours",
    "Every driver's day and every stretch of it are short enough.",
    ({ route, vehicle, orders }, { rules }) => {
      const { maxDuty, maxStretch, minBreak } = rules;
      const breaches: string[] = [];
      if (route.back - route.leave > maxDuty) breaches.push(`${vehicle.id}'s driver is on duty too long.`);
      let since = route.leave;
      for (const [index, stop] of route.stops.entries()) {
        if (stop.rest === 0) continue;
        if (stop.rest < minBreak) breaches.push(`${vehicle.id}'s break at stop ${index + 1} is too short.`);
        const begins = stop.start + (orders[index] as Order).service;
        if (begins - since > maxStretch) breaches.push(`${vehicle.id}'s driver has the break too late.`);
        since = begins + stop.rest;
      }
      if (route.back - since > maxStretch) {
        breaches.push(`${vehicle.id}'s driver goes on too long without a break.`);
      }
      return breaches;
    },
  ),
];
