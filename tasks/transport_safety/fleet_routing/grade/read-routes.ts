import { bad, ok, type Read } from "ale/grade/rubric/read";
import { CsvError, parse } from "csv-parse/sync";
import { parseClock } from "../problem/clock-time.ts";
import type { PlannedRoute, PlannedStop, Problem } from "../problem/problem.ts";
import { routeColumns } from "../problem/write-plan.ts";

type Row = Readonly<Record<string, string>>;
const mostRows = 5000;

/** Routes of an agent's `routes.csv`; bad when the table, a time or the shape of a route cannot be understood. */
export function readRoutes(text: string, problem: Problem): Read<readonly PlannedRoute[]> {
  const rows = readRows(text);
  if (rows.kind === "bad") return rows;
  const groups = new Map<string, Row[]>();
  for (const row of rows.value) {
    const vehicle = row["vehicle_id"] as string;
    const group = groups.get(vehicle);
    if (group === undefined) groups.set(vehicle, [row]);
    else group.push(row);
  }
  const routes: PlannedRoute[] = [];
  for (const [vehicle, group] of groups) {
    const route = readRoute(vehicle, group, problem);
    if (route.kind === "bad") return route;
    routes.push(route.value);
  }
  return ok(routes);
}

function readRows(text: string): Read<readonly Row[]> {
  try {
    const rows = parse(text, {
      delimiter: /^[^,\n]*;/.test(text) ? ";" : ",",
      columns: (header: string[]) => header.map((name) => name.trim()),
      bom: true,
      trim: true,
      skip_empty_lines: true,
    }) as Row[];
    if (rows.length > mostRows) return bad(`routes.csv holds ${rows.length} rows: no plan of a day.`);
    const first = rows[0];
    if (first === undefined) return bad("routes.csv holds no route.");
    const absent = routeColumns.filter((name) => first[name] === undefined);
    return absent.length === 0 ? ok(rows) : bad(`routes.csv lacks the columns ${absent.join(", ")}.`);
  } catch (error) {
    if (error instanceof CsvError) return bad(`routes.csv is no table: ${error.code}.`);
    throw error;
  }
}

function readRoute(vehicle: string, rows: readonly Row[], problem: Problem): Read<PlannedRoute> {
  const name = `the route of ${vehicle.slice(0, 20)}`;
  const ordered = [...rows].sort((a, b) => (wholeNumber(a["stop"]) ?? -1) - (wholeNumber(b["stop"]) ?? -1));
  if (ordered.some((row, index) => wholeNumber(row["stop"]) !== index)) {
    return bad(`${name} is not numbered 0, 1, 2, …`);
  }
  const [first, last] = [ordered[0] as Row, ordered.at(-1) as Row];
  const atDepot = (row: Row): boolean => row["site_id"] === problem.rules.depot && row["order_id"] === "";
  if (ordered.length < 3 || !atDepot(first) || !atDepot(last)) {
    return bad(`${name} does not go from the depot by an order back to the depot.`);
  }
  const leave = parseClock(first["departure"] ?? "");
  const back = parseClock(last["arrival"] ?? "");
  if (leave === undefined || back === undefined) return bad(`${name} has no time of leaving or coming back.`);
  const stops: PlannedStop[] = [];
  for (const row of ordered.slice(1, -1)) {
    const stop = readStop(row, problem);
    if (typeof stop === "string") return bad(`${name}, stop ${row["stop"]}: ${stop}`);
    stops.push(stop);
  }
  return ok({ vehicle, leave, stops, back });
}

function readStop(row: Row, problem: Problem): PlannedStop | string {
  const [arrival, start, departure] = ["arrival", "service_start", "departure"].map((key) =>
    parseClock(row[key] ?? ""),
  );
  const rest = row["break_min"] === "" ? 0 : wholeNumber(row["break_min"]);
  if (arrival === undefined || start === undefined || departure === undefined || rest === undefined) {
    return "a time or the break is not readable.";
  }
  const order = problem.orders.find(({ id }) => id === row["order_id"]);
  if (order === undefined) return "no order of the day has this number.";
  if (order.site !== row["site_id"]) return `order ${order.id} is not for that site.`;
  return { order: order.id, arrival, start, departure, rest };
}

function wholeNumber(text: string | undefined): number | undefined {
  return /^\d{1,4}$/.test(text ?? "") ? Number(text) : undefined;
}
