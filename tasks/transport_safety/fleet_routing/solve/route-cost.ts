import type { IndexedProblem, IndexedVehicle } from "./indexed-problem.ts";
import { scheduleRoute } from "./schedule-route.ts";

/** Euros of a vehicle's day over a sequence of orders; infinite when it cannot be timed. */
export function routeCost(
  indexed: IndexedProblem,
  vehicle: IndexedVehicle,
  sequence: readonly number[],
): number {
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
