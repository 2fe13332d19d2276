import { AleError } from "../../contract/ale-error.ts";
import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";
import { normaliseText } from "../text/normalise-text.ts";
import type { ColumnRule } from "./column-rule.ts";

export interface ColumnNaming {
  /** `normalised` (default): case, width, white space, `_` and `-` do not matter. `exact`: they do. */
  readonly columnNames?: "normalised" | "exact";
  /** Other names that the actual table may use, by the expected name. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
}

export interface MatchedColumn {
  /** As the reference writes it. */
  readonly name: string;
  readonly rule: ColumnRule;
  readonly expectedIndex: number;
  /** `undefined`: the actual table lacks it. */
  readonly actualIndex: number | undefined;
}

export interface MatchedColumns {
  readonly key: readonly MatchedColumn[];
  readonly values: readonly MatchedColumn[];
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

interface ColumnsWanted extends ColumnNaming {
  readonly key: readonly string[];
  readonly columns?: Readonly<Record<string, ColumnRule>>;
  readonly otherColumns?: ColumnRule;
}

/**
 * Pairs the columns of the reference with those of the actual table. Bad when the actual table has two for one.
 * Throws an `AleError` coded `table-misuse` when the reference has no such column, or two of one name.
 */
export function matchColumns(
  expected: readonly string[],
  actual: readonly string[],
  wanted: ColumnsWanted,
): Read<MatchedColumns> {
  const plain = (name: string): string =>
    wanted.columnNames === "exact" ? name : normaliseText(name.replace(/[_-]/g, " "), { letterCase: "fold" });
  const positions = expectedPositions(expected, plain);
  for (const name of [
    ...wanted.key,
    ...Object.keys(wanted.columns ?? {}),
    ...Object.keys(wanted.aliases ?? {}),
  ]) {
    if (!positions.has(plain(name))) throw misuse(`The reference has no column "${name}".`, expected);
  }
  const byName = (record: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined =>
    Object.keys(record ?? {}).find((other) => plain(other) === plain(name));
  const used = new Set<number>();
  const all: MatchedColumn[] = [];
  for (const [expectedIndex, name] of expected.entries()) {
    const ruleName = byName(wanted.columns, name);
    const rule =
      (ruleName === undefined ? undefined : wanted.columns?.[ruleName]) ?? wanted.otherColumns ?? "exact";
    const aliasName = byName(wanted.aliases, name);
    const aliases = aliasName === undefined ? [] : (wanted.aliases?.[aliasName] ?? []);
    const found = candidates(actual, [name, ...aliases], plain);
    if (found.length > 1 && rule !== "ignore")
      return bad(`Two columns stand for ${quote(name)}; one is expected.`);
    for (const index of found) used.add(index);
    all.push({ name, rule, expectedIndex, actualIndex: found[0] });
  }
  const keys = wanted.key
    .map((name) => all[positions.get(plain(name)) ?? -1])
    .filter((column) => column !== undefined);
  const isKey = new Set(keys);
  const values = all.filter((column) => column.rule !== "ignore" && !isKey.has(column));
  return ok({
    key: keys,
    values,
    missing: [...keys, ...values]
      .filter((column) => column.actualIndex === undefined)
      .map(({ name }) => name),
    extra: actual.filter((_name, index) => !used.has(index)),
  });
}

function candidates(
  actual: readonly string[],
  names: readonly string[],
  plain: (name: string) => string,
): readonly number[] {
  for (const fits of [
    (name: string) => name === names[0],
    (name: string) => names.some((other) => plain(other) === plain(name)),
  ]) {
    const found = [...actual.keys()].filter((index) => fits(actual[index] ?? ""));
    if (found.length > 0) return found;
  }
  return [];
}

function expectedPositions(
  expected: readonly string[],
  plain: (name: string) => string,
): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const [index, name] of expected.entries()) {
    if (positions.has(plain(name))) throw misuse(`The reference has two columns "${name}".`, expected);
    positions.set(plain(name), index);
  }
  return positions;
}

function misuse(message: string, expected: readonly string[]): AleError {
  return new AleError({
    code: "table-misuse",
    message,
    remedy: `Its columns are: ${expected.join(", ")}.`,
    fields: { columns: expected },
  });
}
