import type { BoardEntry } from "../board/board-entry.ts";
import { compareEntries } from "../board/compare-entries.ts";
import { policyValue } from "../board/policy-value.ts";
import { AleError } from "../contract/ale-error.ts";
import type { ScoringPolicy } from "../contract/scoring-policy.ts";
import type { CompareView, PartComparison } from "./api/compare-view.ts";
import type { BoardSelection } from "./board-view.ts";
import { domainOf } from "./trial-rows.ts";

/** Drawn for the bootstrap intervals of differences. */
const resamples = 4000;

/** Two rows of a board side by side, or what can be chosen when none are named. */
export function compareView(
  { entries, policy, seed }: BoardSelection,
  first: string | undefined,
  second: string | undefined,
): CompareView {
  const contestants = entries.map((entry) => entry.contestant);
  if (first === undefined || second === undefined) return { contestants, domains: [], stages: [] };
  const [one, other] = [find(entries, first), find(entries, second)];
  const comparison = compareEntries(one, other, { policy, bootstrap: { resamples, seed } });
  const left = new Set(comparison.notComparable);
  const shared = [...one.conditions.keys()].filter(
    (instance) => other.conditions.has(instance) && !left.has(instance),
  );
  const kept = new Set(shared);
  const parts = (valuesOf: (entry: BoardEntry) => Values): readonly PartComparison[] =>
    sideBySide(valuesOf(one), valuesOf(other));
  return {
    contestants,
    comparison,
    domains: parts((entry) => domainScores(entry, kept, policy)),
    stages: parts((entry) => stageScores(entry, kept)),
  };
}

type Values = readonly { readonly part: string; readonly value: number }[];

function domainScores(entry: BoardEntry, kept: ReadonlySet<string>, policy: ScoringPolicy): Values {
  return entry.trials.flatMap((trial) => {
    const value = policyValue(trial, policy);
    return value.kind === "score" && kept.has(trial.instance)
      ? [{ part: domainOf(trial.instance), value: value.score }]
      : [];
  });
}

function stageScores(entry: BoardEntry, kept: ReadonlySet<string>): Values {
  return entry.trials.flatMap(({ instance, workflow, counted }) =>
    kept.has(instance)
      ? (counted?.grade.verdict?.stages ?? []).map(({ name, score }) => ({
          part: `${workflow}: ${name}`,
          value: score,
        }))
      : [],
  );
}

/** Parts that either side has no value in are left out: there is nothing to compare. */
function sideBySide(first: Values, second: Values): readonly PartComparison[] {
  const others = Map.groupBy(second, (value) => value.part);
  return [...Map.groupBy(first, (value) => value.part)].flatMap(([part, own]) => {
    const other = others.get(part) ?? [];
    if (other.length === 0) return [];
    return [{ part, first: mean(own), second: mean(other), firstN: own.length, secondN: other.length }];
  });
}

function mean(values: Values): number {
  return values.reduce((sum, { value }) => sum + value, 0) / values.length;
}

function find(entries: readonly BoardEntry[], contestant: string): BoardEntry {
  const entry = entries.find((candidate) => candidate.contestant === contestant);
  if (entry !== undefined) return entry;
  throw new AleError({
    code: "unknown-contestant",
    message: `there is no contestant ${contestant} in these runs`,
    remedy: `there are ${entries.map((candidate) => candidate.contestant).join(", ")}`,
  });
}
