import fc from "fast-check";
import { expect, test } from "vitest";
import type { Order, Problem, Vehicle } from "../problem/problem.ts";
import { type IndexedVehicle, indexProblem } from "./indexed-problem.ts";
import { scheduleRoute } from "./schedule-route.ts";
import { windowAllows, windowBounds } from "./window-bounds.ts";

const vehicle: Vehicle = {
  id: "V",
  grossKg: 3500,
  payloadGrams: 1,
  volumeLitres: 1,
  chilled: false,
  hazardous: false,
  perDay: 1,
  perKm: 1,
  perHour: 1,
};

function problemOf(windows: readonly (readonly [number, number])[], leg: number): Problem {
  const orders = windows.map(
    ([open, width], index): Order => ({
      id: `R${index}`,
      site: `S${index}`,
      goods: "dry",
      grams: 0,
      litres: 0,
      open,
      close: open + width,
      service: 5,
    }),
  );
  return {
    rules: { depot: "D", depotOpen: 0, depotClose: 400, maxDuty: 200, maxStretch: 10_000, minBreak: 45 },
    orders,
    sites: new Map(orders.map(({ site }) => [site, { id: site, maxGrossKg: 3500 }])),
    vehicles: [vehicle],
    travel: (_gross, from, to) => ({ minutes: from === to ? 0 : leg, hectometres: leg }),
  };
}

/** Tries every minute of leaving. */
function shortestDuty(problem: Problem, leg: number): number | undefined {
  let best: number | undefined;
  for (let leave = problem.rules.depotOpen; leave <= problem.rules.depotClose; leave++) {
    let time: number | undefined = leave;
    for (const { open, close, service } of problem.orders) {
      const start: number = Math.max(time + leg, open);
      if (start > close) {
        time = undefined;
        break;
      }
      time = start + service;
    }
    if (time === undefined || time + leg > problem.rules.depotClose) continue;
    const duty = time + leg - leave;
    if (duty <= problem.rules.maxDuty && (best === undefined || duty < best)) best = duty;
  }
  return best;
}

const windows = fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 120 })), {
  minLength: 1,
  maxLength: 5,
});

test("the day of a sequence is as short as the best of all times of leaving", () => {
  fc.assert(
    fc.property(windows, fc.integer({ min: 1, max: 40 }), (list, leg) => {
      const problem = problemOf(list, leg);
      const indexed = indexProblem(problem);
      const sequence = list.map((_window, index) => index);
      const schedule = scheduleRoute(indexed, indexed.vehicles[0] as IndexedVehicle, sequence);
      expect(schedule?.duty).toBe(shortestDuty(problem, leg));
    }),
  );
});

test("the bounds of a route never rule out a place where an order can be served", () => {
  fc.assert(
    fc.property(windows, fc.integer({ min: 1, max: 40 }), fc.nat(4), (list, leg, at) => {
      const indexed = indexProblem(problemOf(list, leg));
      const vehicle = indexed.vehicles[0] as IndexedVehicle;
      const position = at % list.length;
      const sequence = list.map((_window, index) => index);
      const route = sequence.toSpliced(position, 1);
      const bounds = windowBounds(indexed, vehicle, route);
      fc.pre(scheduleRoute(indexed, vehicle, sequence) !== undefined);
      expect(windowAllows(indexed, vehicle, route, bounds, position, position)).toBe(true);
    }),
  );
});
