import { AleError } from "../../contract/ale-error.ts";
import type { Outcome } from "../outcome.ts";
import { assignGreedily, assignOptimally } from "./assign.ts";

export interface MatchOptions<A, E> {
  /** How well an artifact's record meets an expected one, in [0, 1]. Must not throw on any record. */
  readonly similarity: (actual: A, expected: E) => number;
  /** Records only ever match within the same key (a date, an account); default: all share one. */
  readonly key?: { readonly actual: (record: A) => string; readonly expected: (record: E) => string };
  /** Pairs less similar than this do not match; default: anything above 0 may. */
  readonly threshold?: number;
  /** `optimal` (default): the pairing with the largest total. `greedy`: best pairs first, faster. */
  readonly assignment?: "optimal" | "greedy";
}

export interface MatchedRecords<A, E> {
  readonly pairs: readonly { readonly actual: A; readonly expected: E; readonly similarity: number }[];
  readonly missing: readonly E[];
  readonly extra: readonly A[];
  /** 2·Σ similarity / (n + m): an F1 with partial matches; 1 only when every record has its exact counterpart. */
  readonly outcome: Outcome;
}

const maxCells = 1_000_000;

/**
 * Pairs the records of an artifact with the expected ones, each at most once: for lists of events or findings
 * without a common id. Where there is one, `compareStructure` with `unorderedBy` is simpler.
 *
 * A key under which there are so many records that the pairing would exceed 1,000,000 comparisons matches nothing;
 * when the expected records alone are too many (over 1000 of one key), and for a similarity outside [0, 1], throws an
 * `AleError` coded `match-misuse`.
 */
export function matchRecords<A, E>(
  actual: readonly A[],
  expected: readonly E[],
  options: MatchOptions<A, E>,
): MatchedRecords<A, E> {
  const assignment = options.assignment ?? "optimal";
  const keys = options.key ?? { actual: () => "", expected: () => "" };
  const wanted = groupBy(expected, keys.expected);
  const found = groupBy(actual, keys.actual);
  const matchedActual = new Set<number>();
  const matchedExpected = new Set<number>();
  const pairs: { actual: A; expected: E; similarity: number }[] = [];
  let crowded = 0;
  for (const [key, columns] of wanted) {
    const rows = found.get(key) ?? [];
    if (columns.length ** 2 > maxCells)
      throw misuse(`there are ${columns.length} expected records of one key`);
    if (rows.length * columns.length > maxCells) {
      crowded++;
      continue;
    }
    const gain = rows.map((row) =>
      columns.map((column) => gainOf(actual[row] as A, expected[column] as E, options)),
    );
    for (const pair of assignment === "optimal" ? assignOptimally(gain) : assignGreedily(gain)) {
      const row = rows[pair.row] as number;
      const column = columns[pair.column] as number;
      matchedActual.add(row);
      matchedExpected.add(column);
      const similarity = gain[pair.row]?.[pair.column] ?? 0;
      pairs.push({ actual: actual[row] as A, expected: expected[column] as E, similarity });
    }
  }
  const missing = expected.filter((_record, index) => !matchedExpected.has(index));
  const extra = actual.filter((_record, index) => !matchedActual.has(index));
  const sum = pairs.reduce((total, pair) => total + pair.similarity, 0);
  const records = actual.length + expected.length;
  const perfect = missing.length + extra.length === 0 && pairs.every((pair) => pair.similarity === 1);
  const score = perfect ? 1 : Math.min((2 * sum) / records, 1 - Number.EPSILON / 2);
  const counts = { matched: pairs.length, missing: missing.length, extra: extra.length };
  const tooMany = crowded === 0 ? "" : ` Under ${crowded} keys there were too many records to match.`;
  return {
    pairs,
    missing,
    extra,
    outcome: {
      score,
      message: `${pairs.length} of ${expected.length} records matched, ${extra.length} extra.${tooMany}`,
      evidence: counts,
    },
  };
}

function gainOf<A, E>(actual: A, expected: E, options: MatchOptions<A, E>): number {
  const similarity = options.similarity(actual, expected);
  if (!(similarity >= 0 && similarity <= 1)) throw misuse(`a similarity was ${similarity}`);
  return similarity < (options.threshold ?? 0) ? 0 : similarity;
}

function groupBy<T>(records: readonly T[], keyOf: (record: T) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, record] of records.entries()) {
    const key = keyOf(record);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  }
  return groups;
}

function misuse(problem: string): AleError {
  return new AleError({
    code: "match-misuse",
    message: `Records cannot be matched: ${problem}.`,
    remedy: "Give a key that parts the records, and a similarity in [0, 1].",
  });
}
