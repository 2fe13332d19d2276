import { closeTo } from "ale/grade/number/close-to";
import { gapToBest } from "ale/grade/number/gap-to-best";
import type { Outcome } from "ale/grade/outcome";
import { check } from "ale/grade/rubric/check";
import { fromReference } from "ale/grade/rubric/from-reference";
import { readJson, readText } from "ale/grade/rubric/read-artifact";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import type { GradeContext } from "ale/task";
import type { Params } from "../params.ts";
import type { PlannedRoute, Problem } from "../problem/problem.ts";
import { readProblem } from "../problem/read-problem.ts";
import { summarise } from "../problem/write-plan.ts";
import { type HardRule, hardRules } from "./hard-rules.ts";
import { readRoutes } from "./read-routes.ts";

/** Every hard rule is a gate; a plan that keeps them earns by its cost, and by a summary that is true of it. */
export async function grade(context: GradeContext<Params>): Promise<ReturnType<typeof weightedRubric>> {
  const { artifacts, input, reference, params } = context;
  const problem = readProblem(input, params.service_day);
  const best = fromReference(await readJson(reference, "best-known.json")) as { readonly cost: number };
  const text = await readText(artifacts, "routes.csv");
  const read = text.kind === "bad" ? text : readRoutes(text.value, problem);
  const gate = { stage: "feasibility", gate: true } as const;
  if (read.kind === "bad") return weightedRubric([check({ ...gate, id: "routes", outcome: read.outcome })]);
  const routes = read.value;
  const actual = summarise(problem, routes);
  const summary = await readJson(artifacts, "summary.json");
  const figure = (key: keyof typeof actual, absolute: number, weight: number) => {
    const stated =
      summary.kind === "ok"
        ? (summary.value as { readonly [key: string]: unknown } | null)?.[key]
        : undefined;
    const outcome = closeTo(stated, actual[key], { absolute });
    return check({ id: key.replaceAll("_", "-"), stage: "summary", weight, outcome });
  };
  return weightedRubric([
    check({ ...gate, id: "routes", outcome: { score: 1, message: "The routes can be read." } }),
    ...hardRules.map((rule) => check({ ...gate, id: rule.id, outcome: judge(rule, problem, routes) })),
    check({
      id: "cost",
      stage: "cost",
      weight: 0.85,
      outcome: gapToBest(actual.total_cost_eur, best.cost, { better: "lower", fullGap: 0.04, zeroGap: 0.3 }),
    }),
    figure("vehicles_used", 0, 0.02),
    figure("orders_delivered", 0, 0.02),
    figure("total_km", 0.1, 0.03),
    figure("total_duty_minutes", 0, 0.03),
    figure("total_cost_eur", 0.05, 0.05),
  ]);
}

function judge(rule: HardRule, problem: Problem, routes: readonly PlannedRoute[]): Outcome {
  const breaches = rule.broken(problem, routes);
  if (breaches.length === 0) return { score: 1, message: rule.kept };
  return {
    score: 0,
    message: `${breaches.length === 1 ? "1 breach" : `${breaches.length} breaches`}, such as: ${breaches[0]}`,
    evidence: breaches.slice(0, 12),
  };
}
