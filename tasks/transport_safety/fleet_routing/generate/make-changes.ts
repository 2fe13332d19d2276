import type { Random } from "ale/contract/random";
import type { Params } from "../params.ts";
import { formatClock, parseClock } from "../problem/clock-time.ts";
import { shiftDay } from "./shift-day.ts";

type Rows = readonly (readonly string[])[];

/**
 * `changes.csv`, header first: cancellations, moved windows, other quantities. Some orders are changed twice, and the
 * rows are not in the order in which the messages came in.
 */
export function makeChanges(params: Params, heads: Rows, lines: Rows, random: Random): Rows {
  const orders = random.shuffle(heads.slice(1));
  const rows: string[][] = [];
  const eve = shiftDay(params.service_day, -1);
  let clock = 15 * 60;
  const message = (id: string, field: string, value: string): void => {
    clock += random.integer(1, 4);
    rows.push([`${eve}T${formatClock(clock)}`, id, field, value]);
  };
  for (const [index, head] of orders.slice(0, params.changes).entries()) {
    const id = head[0] as string;
    const line = lines.find((row) => row[0] === id) as readonly string[];
    const close = parseClock(head[3] as string) as number;
    if (index % 4 === 0) message(id, "cancel", "");
    else if (index % 4 === 1) {
      const later = Math.min(close + random.integer(2, 6) * 15, 1080);
      if (index % 8 === 1) message(id, "window_close", formatClock(close - 15));
      message(id, "window_close", formatClock(later));
    } else {
      const quantity = Number(line[2]);
      if (index % 8 === 2) message(id, `quantity:${line[1]}`, String(quantity + 5));
      message(id, `quantity:${line[1]}`, String(quantity + random.integer(1, 3)));
    }
  }
  return [["received_at", "order_id", "field", "new_value"], ...random.shuffle(rows)];
}
