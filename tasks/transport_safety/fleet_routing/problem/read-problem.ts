import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { parseClock } from "./clock-time.ts";
import type { GoodsClass, Order, Problem, Rules, Site, Vehicle } from "./problem.ts";
import { type RoadLeg, travelFinder } from "./travel-finder.ts";

type Row = Readonly<Record<string, string>>;

/** The day's problem from the files of the input: changes applied, closed roads left out. */
export function readProblem(input: string, serviceDay: string): Problem {
  const table = (name: string): Row[] =>
    parse(readFileSync(join(input, name), "utf8"), { columns: true, bom: true }) as Row[];
  const rules = readRules(table("rules.csv"));
  const closed = new Set(
    table("road_closures.csv")
      .filter((row) => text(row, "from_date") <= serviceDay && serviceDay <= text(row, "to_date"))
      .map((row) => `${text(row, "from_node")} ${text(row, "to_node")}`),
  );
  const legs = table("roads.csv")
    .map(
      (row): RoadLeg => ({
        from: text(row, "from_node"),
        to: text(row, "to_node"),
        minutes: number(row, "minutes"),
        hectometres: Math.round(number(row, "km") * 10),
        maxGrossKg: row["max_gross_t"] === "" ? Number.POSITIVE_INFINITY : tonnes(row, "max_gross_t"),
      }),
    )
    .filter(({ from, to }) => !closed.has(`${from} ${to}`));
  const sites = table("sites.csv").map(
    (row): Site => ({ id: text(row, "site_id"), maxGrossKg: tonnes(row, "max_gross_t") }),
  );
  const vehicles = table("vehicles.csv").map(
    (row): Vehicle => ({
      id: text(row, "vehicle_id"),
      grossKg: tonnes(row, "gross_t"),
      payloadGrams: Math.round(number(row, "payload_kg") * 1000),
      volumeLitres: Math.round(number(row, "volume_m3") * 1000),
      chilled: text(row, "chilled") === "yes",
      hazardous: text(row, "hazardous") === "yes",
      perDay: number(row, "eur_per_day"),
      perKm: number(row, "eur_per_km"),
      perHour: number(row, "eur_per_hour"),
    }),
  );
  return {
    rules,
    sites: new Map(sites.map((site) => [site.id, site])),
    vehicles,
    orders: readOrders(table),
    travel: travelFinder(legs),
  };
}

function readRules(rows: readonly Row[]): Rules {
  const values = new Map(rows.map((row) => [text(row, "rule"), text(row, "value")]));
  const value = (name: string): string => values.get(name) ?? "";
  const clock = (name: string): number => parseClock(value(name)) ?? Number.NaN;
  return {
    depot: value("depot"),
    depotOpen: clock("depot_open"),
    depotClose: clock("depot_close"),
    maxDuty: Number(value("max_duty_min")),
    maxStretch: Number(value("max_stretch_min")),
    minBreak: Number(value("min_break_min")),
  };
}

function readOrders(table: (name: string) => Row[]): Order[] {
  const articles = new Map(table("articles.csv").map((row) => [text(row, "article"), row]));
  const heads = new Map(table("orders.csv").map((row) => [text(row, "order_id"), { ...row }]));
  const lines = new Map(
    table("order_lines.csv").map((row) => [`${text(row, "order_id")} ${text(row, "article")}`, { ...row }]),
  );
  const changes = table("changes.csv").sort((a, b) =>
    text(a, "received_at") < text(b, "received_at") ? -1 : 1,
  );
  for (const change of changes) {
    const id = text(change, "order_id");
    const field = text(change, "field");
    const head = heads.get(id);
    if (head === undefined) continue;
    if (field === "cancel") heads.delete(id);
    else if (field.startsWith("quantity:")) {
      const line = lines.get(`${id} ${field.slice("quantity:".length)}`);
      if (line !== undefined) line["quantity"] = text(change, "new_value");
    } else head[field] = text(change, "new_value");
  }
  return [...heads.values()].map((head): Order => {
    const id = text(head, "order_id");
    let [grams, litres] = [0, 0];
    let goods: GoodsClass = "dry";
    for (const line of lines.values()) {
      const article = articles.get(text(line, "article"));
      if (text(line, "order_id") !== id || article === undefined) continue;
      grams += Math.round(number(article, "unit_kg") * 1000) * number(line, "quantity");
      litres += number(article, "unit_litres") * number(line, "quantity");
      goods = text(article, "goods_class") as GoodsClass;
    }
    return {
      id,
      site: text(head, "site_id"),
      goods,
      grams,
      litres,
      open: parseClock(text(head, "window_open")) ?? Number.NaN,
      close: parseClock(text(head, "window_close")) ?? Number.NaN,
      service: number(head, "service_min"),
    };
  });
}

function text(row: Row, column: string): string {
  const value = row[column];
  if (value === undefined) throw new Error(`a table of the input has no column ${column}`);
  return value;
}

function number(row: Row, column: string): number {
  return Number(text(row, column));
}

function tonnes(row: Row, column: string): number {
  return Math.round(number(row, column) * 1000);
}
