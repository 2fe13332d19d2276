import type { IndexedProblem, IndexedVehicle } from "./indexed-problem.ts";

/** The shortest day found for a sequence: when it starts, how long it lasts, after which visit the driver rests. */
export interface RouteSchedule {
  readonly leave: number;
  readonly duty: number;
  /** Index of the visit followed by the break; −1 for none. */
  readonly restAfter: number;
}

/**
 * Times a fixed sequence of orders. Windows are put together as Vidal (2013) does: each partial route has a least
 * duration and the span of starts that reach it. One break at most: with it a duty of twice the longest stretch is
 * possible, which the longest duty does not exceed.
 */
export function scheduleRoute(
  indexed: IndexedProblem,
  vehicle: IndexedVehicle,
  sequence: readonly number[],
): RouteSchedule | undefined {
  const { maxStretch, maxDuty } = indexed.problem.rules;
  const plain = timeRoute(indexed, vehicle, sequence, -1);
  if (plain === undefined || plain.duty > maxDuty) return undefined;
  if (plain.duty <= maxStretch) return plain;
  let best: RouteSchedule | undefined;
  for (let rest = 0; rest < sequence.length; rest++) {
    const timed = timeRoute(indexed, vehicle, sequence, rest);
    if (timed === undefined || timed.duty > maxDuty) continue;
    if (best !== undefined && timed.duty >= best.duty) continue;
    if (stretchesFit(indexed, vehicle, sequence, timed)) best = timed;
  }
  return best;
}

function timeRoute(
  { problem, open, close, service, count }: IndexedProblem,
  { minutes }: IndexedVehicle,
  sequence: readonly number[],
  restAfter: number,
): RouteSchedule | undefined {
  const { depotOpen, depotClose, minBreak } = problem.rules;
  let [duration, earliest, latest] = [0, depotOpen, depotClose];
  let place = 0;
  for (let index = 0; index < sequence.length; index++) {
    const order = sequence[index] as number;
    const reach = duration + (minutes[place * (count + 1) + order + 1] as number);
    const opens = open[order] as number;
    if (earliest + reach > (close[order] as number)) return undefined;
    const waiting = Math.max(opens - reach - latest, 0);
    earliest = Math.max(opens - reach, earliest) - waiting;
    latest = Math.min((close[order] as number) - reach, latest);
    duration = reach + waiting + (service[order] as number) + (index === restAfter ? minBreak : 0);
    place = order + 1;
  }
  duration += minutes[place * (count + 1)] as number;
  if (earliest + duration > depotClose) return undefined;
  return { leave: Math.min(latest, depotClose - duration), duty: duration, restAfter };
}

function stretchesFit(
  { problem, open, service, count }: IndexedProblem,
  { minutes }: IndexedVehicle,
  sequence: readonly number[],
  schedule: RouteSchedule,
): boolean {
  const { maxStretch, minBreak } = problem.rules;
  let time = schedule.leave;
  let since = time;
  let place = 0;
  for (let index = 0; index < sequence.length; index++) {
    const order = sequence[index] as number;
    time = Math.max(time + (minutes[place * (count + 1) + order + 1] as number), open[order] as number);
    time += service[order] as number;
    if (index === schedule.restAfter) {
      if (time - since > maxStretch) return false;
      time += minBreak;
      since = time;
    }
    place = order + 1;
  }
  return schedule.leave + schedule.duty - since <= maxStretch;
}
