import type { Problem, Vehicle } from "../problem/problem.ts";

/** The problem in arrays, for a search that looks things up millions of times. Place 0 is the depot. */
export interface IndexedProblem {
  readonly problem: Problem;
  readonly count: number;
  readonly open: Int32Array;
  readonly close: Int32Array;
  readonly service: Int32Array;
  readonly grams: Float64Array;
  readonly litres: Float64Array;
  /** 0 dry, 1 chilled, 2 hazardous. */
  readonly goods: Uint8Array;
  readonly vehicles: readonly IndexedVehicle[];
}

export interface IndexedVehicle {
  readonly vehicle: Vehicle;
  /** Vehicles of one kind are interchangeable. */
  readonly kind: string;
  /** Whether it may carry order i at all. */
  readonly takes: Uint8Array;
  /** Minutes and hectometres from place a to place b, at a·(count + 1) + b; place i + 1 is order i's site. */
  readonly minutes: Float64Array;
  readonly hectometres: Float64Array;
}

const goodsNumber = { dry: 0, chilled: 1, hazardous: 2 } as const;

export function indexProblem(problem: Problem): IndexedProblem {
  const { orders, rules, vehicles } = problem;
  const places = [rules.depot, ...orders.map((order) => order.site)];
  const size = places.length;
  const matrices = new Map<number, { minutes: Float64Array; hectometres: Float64Array }>();
  for (const { grossKg } of vehicles) {
    if (matrices.has(grossKg)) continue;
    const minutes = new Float64Array(size * size).fill(Number.POSITIVE_INFINITY);
    const hectometres = new Float64Array(size * size).fill(Number.POSITIVE_INFINITY);
    for (const [row, from] of places.entries()) {
      for (const [column, to] of places.entries()) {
        const travel = problem.travel(grossKg, from, to);
        if (travel === undefined) continue;
        minutes[row * size + column] = travel.minutes;
        hectometres[row * size + column] = travel.hectometres;
      }
    }
    matrices.set(grossKg, { minutes, hectometres });
  }
  return {
    problem,
    count: orders.length,
    open: Int32Array.from(orders, (order) => order.open),
    close: Int32Array.from(orders, (order) => order.close),
    service: Int32Array.from(orders, (order) => order.service),
    grams: Float64Array.from(orders, (order) => order.grams),
    litres: Float64Array.from(orders, (order) => order.litres),
    goods: Uint8Array.from(orders, (order) => goodsNumber[order.goods]),
    vehicles: vehicles.map((vehicle) => {
      const { id, ...kind } = vehicle;
      const matrix = matrices.get(vehicle.grossKg) as { minutes: Float64Array; hectometres: Float64Array };
      const takes = Uint8Array.from(orders, (order) => {
        const equipped =
          order.goods === "dry" || (order.goods === "chilled" ? vehicle.chilled : vehicle.hazardous);
        const enters = (problem.sites.get(order.site)?.maxGrossKg ?? 0) >= vehicle.grossKg;
        const reached =
          problem.travel(vehicle.grossKg, rules.depot, order.site) !== undefined &&
          problem.travel(vehicle.grossKg, order.site, rules.depot) !== undefined;
        return equipped && enters && reached ? 1 : 0;
      });
      return { vehicle, kind: JSON.stringify(kind), takes, ...matrix };
    }),
  };
}
