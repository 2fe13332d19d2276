import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GenerateContext } from "ale/task";
import type { Params } from "../params.ts";
import { readProblem } from "../problem/read-problem.ts";
import { stringifyTable } from "../problem/stringify-table.ts";
import { summarise } from "../problem/write-plan.ts";
import { planRoutes } from "../solve/plan-routes.ts";
import { articleRows, ruleRows } from "./catalogue.ts";
import { makeChanges } from "./make-changes.ts";
import { makeFleet } from "./make-fleet.ts";
import { makeOrders } from "./make-orders.ts";
import { makeRoads } from "./make-roads.ts";

/** Writes the day's files, and the cost of the best plan that a search over them finds. */
export function generate({ input, reference, params, random }: GenerateContext<Params>): void {
  const write = (name: string, rows: readonly (readonly string[])[]): void =>
    writeFileSync(join(input, name), stringifyTable(rows));
  const roads = makeRoads(params, random.fork("roads"));
  const { heads, lines } = makeOrders(params, roads.siteIds, random.fork("orders"));
  write("rules.csv", ruleRows);
  write("articles.csv", articleRows);
  write("sites.csv", roads.siteRows);
  write("roads.csv", roads.roadRows);
  write("road_closures.csv", roads.closureRows);
  write("orders.csv", heads);
  write("order_lines.csv", lines);
  write("changes.csv", makeChanges(params, heads, lines, random.fork("changes")));
  write("vehicles.csv", makeFleet(params.orders));

  const problem = readProblem(input, params.service_day);
  const search = random.fork("best-known");
  const iterations = Math.round(6_000_000 / problem.orders.length);
  const plan = planRoutes(problem, { iterations, next: () => search.next() });
  if (plan === undefined) throw new Error("the fleet cannot serve these orders: try another seed");
  const best = { cost: summarise(problem, plan).total_cost_eur };
  writeFileSync(join(reference, "best-known.json"), `${JSON.stringify(best)}\n`);
}
