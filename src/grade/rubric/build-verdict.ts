import { AleError } from "../../contract/ale-error.ts";
import { type Check, type ScoringMethod, type Verdict, verdictSchema } from "../../contract/verdict.ts";
import { type Weighted, weightedMean } from "./weighted-mean.ts";

/**
 * Puts a verdict together: the one place that sets `fullPass`. A failed gate makes the score 0, whatever
 * `score` says. Key order and check order are fixed, so equal grading gives byte-equal JSON.
 *
 * Throws an `AleError` coded `check-misuse` when there are no checks, two share an id, or a check's evidence is
 * not JSON.
 */
export function buildVerdict(method: ScoringMethod, checks: readonly Check[], score: number): Verdict {
  if (checks.length === 0) {
    throw new AleError({
      code: "check-misuse",
      message: "A verdict needs at least one check.",
      remedy: "Grade something.",
    });
  }
  const ids = new Set<string>();
  for (const { id } of checks) {
    if (ids.has(id)) throw duplicate(id);
    ids.add(id);
  }
  const gates = checks.filter((item) => item.gate).map(({ id, score }) => ({ id, passed: score === 1 }));
  const final = gates.every((gate) => gate.passed) ? score : 0;
  const verdict: Verdict = {
    schema: "ale/verdict@1",
    score: final,
    fullPass: final === 1,
    method,
    checks,
    stages: stagesOf(checks),
    gates,
  };
  const parsed = verdictSchema.safeParse(verdict);
  if (!parsed.success) {
    throw new AleError({
      code: "check-misuse",
      message: "The checks do not make a valid verdict.",
      remedy: "Evidence must be plain JSON: no NaN, no undefined, no dates.",
      cause: parsed.error,
    });
  }
  return verdict;
}

function stagesOf(checks: readonly Check[]): Verdict["stages"] {
  const members = new Map<string, Weighted[]>();
  for (const item of checks) {
    if (item.weight === 0) continue;
    const list = members.get(item.stage);
    if (list === undefined) members.set(item.stage, [item]);
    else list.push(item);
  }
  return [...members].map(([name, list]) => ({
    name,
    weight: list.reduce((sum, item) => sum + item.weight, 0),
    score: weightedMean(list) ?? 0,
  }));
}

function duplicate(id: string): AleError {
  return new AleError({
    code: "check-misuse",
    message: `Two checks of one verdict are called "${id}".`,
    remedy: "Give each check an id of its own.",
    fields: { check: id },
  });
}
