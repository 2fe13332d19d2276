import type { Random } from "ale/contract/random";
import type { Params } from "../params.ts";
import { type RoadLeg, travelFinder } from "../problem/travel-finder.ts";
import { shiftDay } from "./shift-day.ts";

export interface RoadTables {
  readonly siteIds: readonly string[];
  readonly siteRows: readonly (readonly string[])[];
  readonly roadRows: readonly (readonly string[])[];
  readonly closureRows: readonly (readonly string[])[];
}

interface Place {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

/** Of the way to a place, and of the way back. */
const mostMinutes = 150;

/** Places on a plane of 60 × 60 km, joined to their neighbours; each direction has a time and limits of its own. */
export function makeRoads(params: Params, random: Random): RoadTables {
  const site = (index: number): string => `S${String(index + 1).padStart(3, "0")}`;
  const place = (id: string): Place => ({ id, x: random.next() * 60, y: random.next() * 60 });
  const sites = Array.from({ length: params.sites }, (_, index) => place(site(index)));
  const junctions = Array.from({ length: params.junctions }, (_, index) => place(`J${index + 1}`));
  const depot: Place = { id: "DEPOT", x: 27, y: 33 };
  const places = [depot, ...sites, ...junctions];
  const local = joinPlaces(places).flatMap(([from, to]) => bothWays(from, to, random));
  const far = places.filter((place) => !allReached(local, [place]));
  const legs = [...local, ...far.flatMap((place) => bothWays(depot, place, random))];
  const kept = limitSome(legs, places, random);
  const closed = closeSome(kept, places, random);
  const kinds = ["school hall", "sports centre", "fire station", "clinic", "town hall", "care home"];
  const leg = ({ from, to, hectometres, minutes, maxGrossKg }: RoadLeg): string[] => [
    from,
    to,
    (hectometres / 10).toFixed(1),
    String(minutes),
    Number.isFinite(maxGrossKg) ? String(maxGrossKg / 1000) : "",
  ];
  return {
    siteIds: sites.map(({ id }) => id),
    siteRows: [
      ["site_id", "kind", "max_gross_t"],
      ...sites.map(({ id }) => [id, random.pick(kinds), random.pick(["3.5", "7.5", "12", "12", "26", "26"])]),
    ],
    roadRows: [["from_node", "to_node", "km", "minutes", "max_gross_t"], ...random.shuffle(kept).map(leg)],
    closureRows: [
      ["from_node", "to_node", "from_date", "to_date", "reason"],
      ...random.shuffle(closureRows(params.service_day, kept, closed, random)),
    ],
  };
}

/** Each place with its three nearest, and whatever joins what is still apart. */
function joinPlaces(places: readonly Place[]): readonly (readonly [Place, Place])[] {
  const group = new Map(places.map((place) => [place, place.id]));
  const joined = new Map<string, readonly [Place, Place]>();
  const distance = (a: Place, b: Place): number => Math.hypot(a.x - b.x, a.y - b.y);
  const join = (a: Place, b: Place): void => {
    const pair: readonly [Place, Place] = a.id < b.id ? [a, b] : [b, a];
    joined.set(`${pair[0].id} ${pair[1].id}`, pair);
    const [old, now] = [group.get(a) as string, group.get(b) as string];
    for (const [place, name] of group) if (name === old) group.set(place, now);
  };
  for (const place of places) {
    const near = places
      .filter((other) => other !== place)
      .sort((a, b) => distance(place, a) - distance(place, b));
    for (const other of near.slice(0, 3)) join(place, other);
  }
  for (const place of places) {
    const apart = places.filter((other) => group.get(other) !== group.get(place));
    const nearest = apart.sort((a, b) => distance(place, a) - distance(place, b))[0];
    if (nearest !== undefined) join(place, nearest);
  }
  return [...joined.values()];
}

function bothWays(a: Place, b: Place, random: Random): readonly RoadLeg[] {
  const straight = Math.hypot(a.x - b.x, a.y - b.y);
  const speed = random.pick([38, 46, 54, 66, 82]);
  const way = (from: Place, to: Place): RoadLeg => {
    const km = Math.max(0.3, straight * (1.08 + random.next() * 0.24));
    const hectometres = Math.round(km * 10);
    const minutes = Math.max(1, Math.round(((km / speed) * 60 + 0.6) * (0.92 + random.next() * 0.28)));
    return { from: from.id, to: to.id, hectometres, minutes, maxGrossKg: Number.POSITIVE_INFINITY };
  };
  return [way(a, b), way(b, a)];
}

/** Weight limits on one road in ten, where every place stays near enough for a 12-tonne truck. */
function limitSome(legs: readonly RoadLeg[], places: readonly Place[], random: Random): readonly RoadLeg[] {
  let kept = legs;
  for (const leg of random.shuffle(legs).slice(0, Math.round(legs.length / 10))) {
    const limit = random.pick([3500, 7500, 7500]);
    const tried = kept.map((other) => (other === leg ? { ...other, maxGrossKg: limit } : other));
    if (allReached(tried, places)) kept = tried;
  }
  return kept;
}

function closeSome(legs: readonly RoadLeg[], places: readonly Place[], random: Random): ReadonlySet<RoadLeg> {
  const closed = new Set<RoadLeg>();
  for (const leg of random.shuffle(legs).slice(0, Math.round(legs.length / 14))) {
    const left = legs.filter((other) => other !== leg && !closed.has(other));
    if (allReached(left, places)) closed.add(leg);
  }
  return closed;
}

/** Near enough to be served in the shortest window and within a stretch of duty; so every order can be delivered. */
function allReached(legs: readonly RoadLeg[], places: readonly Place[]): boolean {
  const back = legs.map((leg) => ({ ...leg, from: leg.to, to: leg.from }));
  return [travelFinder(legs), travelFinder(back)].every((travel) =>
    places.every(
      ({ id }) => (travel(12_000, "DEPOT", id)?.minutes ?? Number.POSITIVE_INFINITY) <= mostMinutes,
    ),
  );
}

/** Roads closed on the day, and others whose closure is over or has not begun. */
function closureRows(
  day: string,
  legs: readonly RoadLeg[],
  closed: ReadonlySet<RoadLeg>,
  random: Random,
): readonly (readonly string[])[] {
  const on = (shift: number): string => shiftDay(day, shift);
  const reasons = ["flooded", "landslip", "bridge inspection", "fallen trees"];
  const others = random.shuffle(legs.filter((leg) => !closed.has(leg))).slice(0, closed.size);
  return [
    ...[...closed].map(({ from, to }) => [
      from,
      to,
      on(-random.integer(0, 4)),
      on(random.integer(0, 5)),
      random.pick(reasons),
    ]),
    ...others.map(({ from, to }) => {
      const over = random.next() < 0.6;
      const dates = over ? [on(-random.integer(3, 6)), on(-random.integer(1, 2))] : [on(1), on(6)];
      return [from, to, ...dates, random.pick(reasons)] as string[];
    }),
  ];
}
