import { expect, test } from "vitest";
import type { Order, PlannedRoute, Problem, Vehicle } from "../problem/problem.ts";
import { hardRules } from "./hard-rules.ts";

const order = (id: string, change: Partial<Order> = {}): Order => ({
  id,
  site: `S-${id}`,
  goods: "dry",
  grams: 600,
  litres: 60,
  open: 500,
  close: 600,
  service: 10,
  ...change,
});
const van: Vehicle = {
  id: "V1",
  grossKg: 3500,
  payloadGrams: 1200,
  volumeLitres: 120,
  chilled: true,
  hazardous: true,
  perDay: 1,
  perKm: 1,
  perHour: 1,
};

function problemOf(change: Partial<Problem> = {}): Problem {
  const orders = change.orders ?? [order("A"), order("B")];
  return {
    rules: { depot: "D", depotOpen: 400, depotClose: 900, maxDuty: 300, maxStretch: 110, minBreak: 30 },
    orders,
    sites: new Map(orders.map(({ site }) => [site, { id: site, maxGrossKg: 3500 }])),
    vehicles: [van],
    travel: (_gross, from, to) => (from === to ? undefined : { minutes: 20, hectometres: 200 }),
    ...change,
  };
}

/** Leaves at 480, serves A at 500 and B at 560 after a break, is back at 590. */
const stops = [
  { order: "A", arrival: 500, start: 500, departure: 540, rest: 30 },
  { order: "B", arrival: 560, start: 560, departure: 570, rest: 0 },
];
const good: PlannedRoute = { vehicle: "V1", leave: 480, stops, back: 590 };

function broken(problem: Problem, routes: readonly PlannedRoute[]): readonly string[] {
  return hardRules.filter((rule) => rule.broken(problem, routes).length > 0).map(({ id }) => id);
}

const withStop = (index: number, change: Partial<(typeof stops)[number]>): PlannedRoute => ({
  ...good,
  stops: stops.map((stop, at) => (at === index ? { ...stop, ...change } : stop)),
});
const { rules } = problemOf();

test("a plan that keeps every rule breaks none", () => {
  expect(broken(problemOf(), [good])).toEqual([]);
});

test.each([
  ["vehicles", problemOf(), [{ ...good, vehicle: "X9" }]],
  ["each-order-once", problemOf({ orders: [order("A"), order("B"), order("C")] }), [good]],
  ["capacity", problemOf({ orders: [order("A", { grams: 601 }), order("B")] }), [good]],
  ["capacity", problemOf({ orders: [order("A", { litres: 61 }), order("B")] }), [good]],
  [
    "goods",
    problemOf({ orders: [order("A", { goods: "chilled" }), order("B", { goods: "hazardous" })] }),
    [good],
  ],
  [
    "goods",
    problemOf({
      orders: [order("A", { goods: "chilled" }), order("B")],
      vehicles: [{ ...van, chilled: false }],
    }),
    [good],
  ],
  ["site-access", problemOf({ vehicles: [{ ...van, grossKg: 7500 }] }), [good]],
  ["travel-times", problemOf(), [{ ...good, back: 589 }]],
  ["time-windows", problemOf({ orders: [order("A", { close: 499 }), order("B")] }), [good]],
  ["time-windows", problemOf({ orders: [order("A", { service: 11 }), order("B")] }), [good]],
  ["depot-hours", problemOf({ rules: { ...rules, depotOpen: 481 } }), [good]],
  ["driver-hours", problemOf({ rules: { ...rules, maxDuty: 109 } }), [good]],
  ["driver-hours", problemOf({ rules: { ...rules, maxStretch: 49 } }), [good]],
  ["driver-hours", problemOf(), [withStop(0, { rest: 29 })]],
] as const)("a plan that breaks %s is told so", (id, problem, routes) => {
  expect(broken(problem, routes)).toContain(id);
});
