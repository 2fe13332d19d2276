import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "ale/contract/random";
import type { SolveContext } from "ale/task";
import type { Params } from "../params.ts";
import { readProblem } from "../problem/read-problem.ts";
import { stringifyTable } from "../problem/stringify-table.ts";
import { planRows, summarise } from "../problem/write-plan.ts";
import { planRoutes } from "./plan-routes.ts";

/** The oracle: reads the files, searches on a stream of its own, and writes the plan down. */
export function solve({ input, output, params }: SolveContext<Params>): void {
  const problem = readProblem(input, params.service_day);
  const random = createRandom("oracle");
  const iterations = Math.round(3_000_000 / problem.orders.length);
  const plan = planRoutes(problem, { iterations, next: () => random.next() });
  if (plan === undefined) throw new Error("no plan serves every order");
  writeFileSync(join(output, "routes.csv"), stringifyTable(planRows(problem, plan)));
  const summary = summarise(problem, plan);
  writeFileSync(join(output, "summary.json"), `${JSON.stringify(summary, null, 2)}\n`);
}
