import type { Random } from "ale/contract/random";
import type { Params } from "../params.ts";
import { formatClock } from "../problem/clock-time.ts";
import { articleRows } from "./catalogue.ts";

/** Units per line: three lines of the heaviest articles, and what is added later, fit into a van of 3.5 t. */
const [mostDry, mostSpecial] = [30, 14];

export interface OrderTables {
  readonly heads: readonly (readonly string[])[];
  readonly lines: readonly (readonly string[])[];
}

/** `orders.csv` and `order_lines.csv`, headers first. The lines of an order are all of one class of goods. */
export function makeOrders(params: Params, siteIds: readonly string[], random: Random): OrderTables {
  const heads = [["order_id", "site_id", "window_open", "window_close", "service_min", "contact"]];
  const lines = [["order_id", "article", "quantity"]];
  const contacts = ["shelter lead", "duty officer", "ward nurse", "station chief", "caretaker"];
  const ids = random.shuffle(Array.from({ length: params.orders }, (_, index) => 4101 + index * 3));
  for (const number of ids) {
    const id = `R${number}`;
    const chance = random.next();
    const goods = chance < 0.18 ? "chilled" : chance < 0.36 ? "hazardous" : "dry";
    const articles = random.shuffle(articleRows.slice(1).filter((row) => row[2] === goods));
    let kilograms = 0;
    for (const article of articles.slice(0, random.integer(1, 3))) {
      const most = goods === "dry" ? mostDry : mostSpecial;
      const quantity = random.integer(2, most);
      kilograms += quantity * Number(article[3]);
      lines.push([id, article[0] as string, String(quantity)]);
    }
    const [open, close] = window(random);
    const service = 8 + Math.round(kilograms / 60) + random.integer(0, 6);
    heads.push([
      id,
      random.pick(siteIds),
      formatClock(open),
      formatClock(close),
      String(service),
      random.pick(contacts),
    ]);
  }
  return { heads, lines: [lines[0] as string[], ...random.shuffle(lines.slice(1))] };
}

/** Open all day, half a day, or an appointment of an hour or two; in quarters of an hour. */
function window(random: Random): readonly [number, number] {
  const kind = random.next();
  if (kind < 0.25) return [420, 1080];
  if (kind < 0.55) return random.next() < 0.5 ? [450, 750] : [750, 1050];
  const open = random.integer(32, 60) * 15;
  return [open, open + random.integer(4, 9) * 15];
}
