import { AleError } from "../../contract/ale-error.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { Tolerance } from "../number/tolerance.ts";
import type { Outcome } from "../outcome.ts";
import { compareStructure } from "../structure/compare-structure.ts";
import type { StructureRule } from "../structure/structure-rule.ts";
import { querySqlite, type SqliteLimits, type SqliteRow } from "./query-sqlite.ts";

/** What a query over the artifact must give. */
export interface SqliteExpectation {
  /** In paths of differences: the table's name, usually. Unique. */
  readonly name: string;
  /** `wholeTable("orders")`, or any query of the author's. */
  readonly sql: string;
  readonly expected: readonly SqliteRow[];
  /** `multiset` (default): rows in any order, equal exactly. `ordered`: row by row. `{by}`: by key columns. */
  readonly rows?: "multiset" | "ordered" | { readonly by: readonly string[] };
  /** Per column; needs rows that are ordered or have a key. */
  readonly tolerance?: Readonly<Record<string, Tolerance>>;
}

/**
 * Compares queries over a database with their expected rows, cell by cell: right cells / (expected + extra cells).
 * A query that cannot be run (no such table or column) has all its cells missing.
 *
 * Throws an `AleError` coded `sqlite-misuse` for a tolerance over a multiset of rows.
 */
export function compareSqlite(
  path: string,
  expectations: readonly SqliteExpectation[],
  limits: SqliteLimits = {},
): Outcome {
  const actual = Object.create(null) as Record<string, JsonValue>;
  const expected = Object.create(null) as Record<string, JsonValue>;
  const problems: string[] = [];
  for (const { name, sql, expected: rows } of expectations) {
    expected[name] = rows;
    const read = querySqlite(path, sql, limits);
    if (read.kind === "ok") actual[name] = read.value;
    else problems.push(`${name}: ${read.outcome.message}`);
  }
  const outcome = compareStructure(actual, expected, expectations.flatMap(rulesOf));
  return problems.length === 0
    ? outcome
    : { ...outcome, message: `${outcome.message} ${problems.join(" ")}` };
}

function rulesOf({ name, rows = "multiset", tolerance = {} }: SqliteExpectation): StructureRule[] {
  const segment = name.replaceAll("~", "~0").replaceAll("/", "~1");
  const columns = Object.entries(tolerance);
  if (rows === "multiset" && columns.length > 0) {
    throw new AleError({
      code: "sqlite-misuse",
      message: `The rows of "${name}" have a tolerance but no key to pair them by.`,
      remedy: 'Give `rows: {by: [...]}`, or order the query and say `rows: "ordered"`.',
    });
  }
  const pairing = rows === "multiset" ? ("by-value" as const) : rows;
  return [
    ...(pairing === "ordered" ? [] : [{ path: `/${segment}`, unordered: pairing }]),
    ...columns.map(([column, bounds]) => ({
      path: `/${segment}/*/${column.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      tolerance: bounds,
    })),
  ];
}
